/*
 * Tools that a caller lets a model call, and what becomes of the calls: the caller runs them. One model
 * is offered any: one that answers alone, or the arbiter.
 */
import { randomBytes } from 'node:crypto';
import { jsonExcess, parsedJson } from '../lib/json';
import type { ImageAttachment } from './images';

/** A function that a model may call. */
export interface Tool {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of its arguments, as the caller sent it. */
  readonly parameters?: { readonly [keyword: string]: unknown };
  /** True if the arguments are to be held to the schema, for protocols that can. */
  readonly strict?: boolean;
}

/** True if a tool is to be called: as the model likes, none, at least one, or this one. */
type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** True of a choice by which a tool has to be called, in what a client has sent as well. */
export function isForced(choice: unknown): choice is Exclude<ToolChoice, 'auto' | 'none'> {
  return choice === 'required' || (typeof choice === 'object' && choice !== null);
}

/** Tools that a model may call. */
export interface ToolOffer {
  readonly tools: readonly Tool[];
  readonly choice?: ToolChoice;
  /** True if it may call several at once; absent: as the provider does by default. */
  readonly parallel?: boolean;
  /** The tools as JSON, to be counted. */
  readonly json: string;
}

/** A call that a model has made. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it: it may be none. */
  readonly arguments: string;
}

/** Result of the caller's tool for a call. */
export interface ToolResult {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  /** Pictures that it returned beside the text. */
  readonly images?: readonly ImageAttachment[];
}

/** A piece of a call, as it comes. */
export interface ToolCallPiece {
  /** Index of the call in the reply, from 0 in the order in which they begin. */
  readonly index: number;
  /** With the first piece of a call. */
  readonly begins?: Pick<ToolCall, 'id' | 'name'>;
  /** Appended to what came of the arguments before. */
  readonly arguments: string;
}

/** An id for a call that no provider gave one. */
export function newCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`;
}

/** Arguments as an object, for protocols that have them so. What a model wrote amiss, or too deep to be sent back, is shown as it was. */
export function argumentsObject(text: string): object {
  const parsed = jsonExcess(Buffer.from(text)) === undefined ? parsedJson(text) : undefined;
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return isObject ? parsed : { arguments: text };
}
