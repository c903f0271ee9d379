import { execFileSync } from 'node:child_process';
import { buildChrootImage } from './chroot-image';
import type { Image } from './container';
import { openDockerImage } from './docker-image';

/** An image made by a real builder is tested in the place of the one that this machine can make without. */
const NAMED = process.env['CONTAINER_IMAGE'];

/** What this machine lacks to run containers, or undefined. */
export function missingForContainers(): string | undefined {
  if (NAMED) return undefined;
  const instead = 'name an image built with docker in CONTAINER_IMAGE';
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return `needs root on Linux, or ${instead}`;
  try {
    execFileSync('/usr/bin/unshare', ['--mount', '--pid', '--fork', 'mount', '-t', 'proc', 'proc', '/proc'], {
      stdio: 'ignore',
    });
    return undefined;
  } catch {
    return `this machine lets nobody mount; ${instead}`;
  }
}

/** The image of this repository. */
export function openImage(): Promise<Image> {
  return NAMED ? openDockerImage(NAMED) : buildChrootImage();
}
