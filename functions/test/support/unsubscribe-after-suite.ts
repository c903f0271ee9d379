import diagnostics from 'node:diagnostics_channel';

/**
 * Diagnostics channels belong to the process, not to a suite's modules: whoever a suite lets hear of every server or
 * request would go on doing so to the servers of all suites behind it.
 */
const subscribed = jest.spyOn(diagnostics, 'subscribe');

afterAll(() => {
  for (const [channel, listener] of subscribed.mock.calls) diagnostics.unsubscribe(channel, listener);
  subscribed.mockRestore();
});
