import { temporaryFolder } from '../../test/support/temporary.js';
import { startStack } from '../../test/support/service/stack.js';
import type { Bench } from '../kit/figure.js';
import { inTurns, timed } from '../kit/in-turns.js';
import { startParts, type Parts } from '../kit/parts.js';

/** How long `npm start` takes until it is ready, if everything it needs is installed. */
export const start: Bench = {
  name: 'start',
  about:
    'kw start until it is ready, with a new data directory and with a used one; PostgreSQL, Temporal, then API and worker, started separately one after the other',
  async run({ scale, say }) {
    const rounds = Math.max(1, Math.round(5 * scale));
    const seconds = async (what: string, work: () => Promise<unknown>): Promise<number> => {
      const value = (await timed(work)) / 1000;
      say(`${value.toFixed(2)} s ${what}`);
      return value;
    };
    const oursIn = async (dataDir: string): Promise<number> => {
      let stop = (): Promise<unknown> => Promise.resolve();
      const value = await seconds('kw start', async () => ({ stop } = await startStack({ dataDir })));
      await stop();
      return value;
    };
    const besideIn = async (folder: string): Promise<number> => {
      let parts: Parts | undefined;
      const value = await seconds('one after the other', async () => {
        parts = await startParts({}, folder);
        await Promise.all([parts.startApi(), parts.startWorker()]);
      });
      await parts?.stop();
      return value;
    };
    const first = await inTurns(rounds, {
      ours: () => oursIn(temporaryFolder()),
      beside: () => besideIn(temporaryFolder()),
    });
    // The discarded round is the first start in each directory.
    const [ours, beside] = [temporaryFolder(), temporaryFolder()];
    const again = await inTurns(rounds, { ours: () => oursIn(ours), beside: () => besideIn(beside) });
    const [unit, goal] = ['s', { atMost: 1.3 }] as const;
    return {
      figures: [
        { what: 'with a new data directory', unit, ...first, goal },
        { what: 'again in the same', unit, ...again, goal },
      ],
    };
  },
};
