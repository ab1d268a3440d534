import fc from 'fast-check';
import { startApi, type TestApi } from '../support/service/api.js';
import { isFull } from '../support/full.js';
import { commands, readAll, type Model } from '../support/models/rest-model.js';

describe('the REST API, against a model', () => {
  let api: TestApi;

  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  /** As it was before the first command. */
  const empty = async (): Promise<Model> => {
    await api.deps.db.raw('truncate resources, pipelines, plugins, outbox, discarded_objects cascade');
    return { plugins: new Set(), pipelines: new Map(), resources: new Map() };
  };

  it('answers every sequence of commands as the model does', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const model = await empty();
        await fc.asyncModelRun(() => ({ model, real: api }), sequence);
        await readAll().run(model, api);
      }),
      // All of them; where one fails, the search for a shorter one ends in time to be told.
      {
        numRuns: isFull ? 120 : 8,
        plugins: [fc.interruptAfterTimeLimit(240_000, { failOnInterrupt: true })],
      },
    );
  });
});
