/** Reasoning of a model before it spoke, by the names of servers. Models that call tools want it back as it was. */
export interface Reasoning {
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly object[];
}

/** Reasoning in a message, or in a piece of one; undefined where there is none. */
export function reasoningIn(message: { readonly [name in keyof Reasoning]?: unknown }): Reasoning | undefined {
  const { reasoning_content, reasoning, reasoning_details: details } = message;
  const items = Array.isArray(details) ? details.filter((item) => typeof item === 'object' && item !== null) : [];
  const found = {
    ...(typeof reasoning_content === 'string' && { reasoning_content }),
    ...(typeof reasoning === 'string' && { reasoning }),
    ...(items.length > 0 && { reasoning_details: items }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}
