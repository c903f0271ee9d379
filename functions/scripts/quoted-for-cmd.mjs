/** A word for a program that on Windows only cmd.exe can start, a batch file: spaces and `&` in it are its own. */
export function quotedForCmd(word) {
  return `"${word.replaceAll('"', '\\"')}"`;
}
