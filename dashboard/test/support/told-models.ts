import type { ModelProvider, ProviderCall } from '../../../functions/src/models/model';
import { ModelFault } from '../../../functions/src/models/model-fault';

/** The words of a model, piece by piece; `wait` lets it stand still until the test says `go`. */
export type Saying = readonly (string | { readonly wait: string } | { readonly fault: 'not_found' | 'overloaded' })[];

/** Models that say what a test has them say, and stand still where it wants them to. */
export function toldModels(say: (call: ProviderCall) => Saying) {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const aborted: string[] = [];
  const gate = (name: string): PromiseWithResolvers<void> => {
    const known = gates.get(name) ?? Promise.withResolvers<void>();
    gates.set(name, known);
    return known;
  };
  const provider: ModelProvider = {
    run: async (call, listener) => {
      for (const part of say(call)) {
        if (typeof part === 'string') await listener.text(part);
        else if ('fault' in part) throw new ModelFault(part.fault);
        else await Promise.race([gate(part.wait).promise, leaving(call)]);
        if (call.signal.aborted) {
          aborted.push(call.providerModel);
          throw new ModelFault('aborted');
        }
      }
      listener.usage({ promptTokens: 20, completionTokens: 10 });
      return 'stop';
    },
  };
  return {
    provider,
    /** The models whose calls were ended from outside. */
    aborted,
    go: (name: string) => gate(name).resolve(),
  };
}

function leaving({ signal }: ProviderCall): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
