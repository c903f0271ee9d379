import type { Panel } from '../ensemble/panel';
import { isRefusal, type Refusal } from '../errors';
import { createGateway, type ModelGateway } from '../models/gateway';
import type { ModelProvider } from '../models/model';
import { type RouterKeyDesk, unlockRouterKey } from './router-keys';

/** What the gateway of a playground run is made of. */
export interface PlaygroundGatewayDesk extends RouterKeyDesk {
  /** The way to the platform's models, shared by all runs. */
  readonly gateway: ModelGateway;
  /** Speaks to the router with one user's key. */
  readonly routerProvider: (apiKey: string) => ModelProvider;
}

/**
 * The way to the models of one run: platform models as ever; router models through a gateway of the run's own, which
 * alone knows the user's key. The key is opened only for a panel that needs it; without one the run is refused.
 */
export async function playgroundGateway(
  desk: PlaygroundGatewayDesk,
  userId: string,
  { participants, arbiter }: Panel,
): Promise<ModelGateway | Refusal> {
  if ([...participants, arbiter].every(({ model }) => model.provider !== 'router')) return desk.gateway;
  const key = await unlockRouterKey(desk, userId);
  if (isRefusal(key)) return key;
  const provider = desk.routerProvider(key);
  const router = createGateway({ clock: desk.clock, provider: () => provider });
  return { call: (call) => (call.model.provider === 'router' ? router : desk.gateway).call(call) };
}
