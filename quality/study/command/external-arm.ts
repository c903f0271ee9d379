import { InvalidArgumentError } from 'commander';
import { AUTO, type ExternalArm, STRATEGY_NAMES } from '../run/arms.ts';

const FORM = /^([\w.-]{1,40})=([^\s,]{1,200})@(https?:\/\/[^\s,#@]+)(?:#([A-Za-z_]\w*))?$/;
const OWN_NAMES: readonly string[] = [...STRATEGY_NAMES, AUTO];

/** Reads an arm and adds it to those before it. */
export function addArm(value: string, before: readonly ExternalArm[]): ExternalArm[] {
  const [, name = '', model = '', url = '', keyVariable] = FORM.exec(value) ?? [];
  if (name === '') throw new InvalidArgumentError('It must be NAME=MODEL@URL, or NAME=MODEL@URL#KEY_VARIABLE.');
  if (OWN_NAMES.includes(name) || before.some((one) => one.name === name))
    throw new InvalidArgumentError(`There is an arm called ${name} already.`);
  return [...before, { name, model, baseUrl: baseUrlOf(url), keyVariable }];
}

/** A base URL without a slash at its end; where there is no path, that of version 1. What may be secret has no place in it. */
export function baseUrlOf(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be a base URL such as http://127.0.0.1:8080/v1.');
  if (url.username + url.password + url.search + url.hash !== '')
    throw new InvalidArgumentError('It must be a base URL without user, password and query.');
  const root = url.href.replace(/\/+$/, '');
  return url.pathname === '/' ? `${root}/v1` : root;
}

/** The key of an arm, from the environment. */
export function keyOf({ name, keyVariable }: ExternalArm): string {
  if (keyVariable === undefined) return '';
  const key = process.env[keyVariable];
  if (!key) throw new InvalidArgumentError(`--arm ${name} needs its key in the environment variable ${keyVariable}.`);
  return key;
}
