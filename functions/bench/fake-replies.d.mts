export function replyTo(prompt: string, number: number): string;
