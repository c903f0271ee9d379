import { type FakeUpstream, sendStatus, startFakeUpstream } from '../../../functions/test/support/fake-upstream';

const MODELS = [
  {
    id: 'owl/eagle-1',
    name: 'Owl: Eagle 1',
    context_length: 200_000,
    architecture: { input_modalities: ['text', 'image'] },
    supported_parameters: ['tools'],
  },
  {
    id: 'owl/mole-2',
    name: 'Owl: Mole 2',
    context_length: 32_000,
    architecture: { input_modalities: ['text'] },
    supported_parameters: [],
    pricing: { prompt: '0.0000002', completion: '0.0000008' },
  },
  { id: 'fox/red', name: 'Fox: Red' },
];

/** A server that lists models as a model router does, and the setting that names it; `replyTo` has other words for some paths. */
export async function startRouter(
  models: readonly object[] = MODELS,
  replyTo = (_path: string): { status: number; body: object } | undefined => undefined,
) {
  const server: FakeUpstream = await startFakeUpstream((exchange) => {
    const { status, body } = replyTo(exchange.request.path) ?? { status: 200, body: { data: models } };
    return sendStatus(status, body)(exchange);
  });
  return {
    env: { ROUTER_BASE_URL: `${server.url}/api/v1` },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
