/** The address and the key that the client asks with. */
export const { BASE_URL, API_KEY } = process.env;
/** The address without a path, below which other protocols have theirs. */
export const ORIGIN = BASE_URL?.replace(/\/v1$/, '');
export const QUESTION = 'Is a tomato a fruit?';
export const WEATHER_QUESTION = 'What is the weather where I am?';
/** A question whose answer breaks off. */
export const BREAKING_QUESTION = 'Which words are your last?';

/** The tasks of a coding agent's session, each in a turn of its user. */
export const TASKS = ['Translate two and three', 'Add five'];
/** The task for which an agent has a tool by MCP, whose result it reports. */
export const MCP_TASK = 'Let the panel look at this.';
/** The answer to each question that no tools are for. */
export const ANSWER = 'A tomato is a fruit.';

/** The results of the two tools of a loop. */
export const TOOLS = { whereAmI: () => 'Bergen', weather: ({ town }) => `rain in ${town}` };

/**
 * Lets a client do something and prints what it ended with, a line that run.mjs compares with what a reply of this `kind`
 * (a name in `ANSWERS`) has to be. `calls`: how many calls of models this may make, where it matters.
 */
export async function attempt({ tried, kind, calls }, ask) {
  const before = await callsSoFar();
  const outcome = await Promise.resolve()
    .then(ask)
    .catch((error) => `${error?.name}: ${error?.message ?? error}`);
  const made = (await callsSoFar()) - before;
  console.log(JSON.stringify({ tried, kind, outcome, ...(calls !== undefined && { calls, made }) }));
}

async function callsSoFar() {
  return (await (await fetch(process.env.CALLS_URL)).json()).calls;
}
