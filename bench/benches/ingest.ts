import type { Bench } from '../kit/figure.js';
import { corpusEntries, manualEntries } from '../kit/corpora/corpus-entries.js';
import { fetchCorpus } from '../kit/corpora/corpus.js';
import {
  compareTexts,
  documentsInFlight,
  measureDocuments,
  measureTwoWorkers,
} from '../kit/load/ingest-documents.js';
import { startIngestRig } from '../kit/load/ingest-rig.js';
import { measureSmallFiles } from '../kit/load/ingest-small-files.js';
import { findMarkitdown, startMarkitdown } from '../kit/rivals/markitdown.js';
import { startTika } from '../kit/rivals/tika.js';

/** How long files take until they can be searched, compared with programs that read the same files. */
export const ingest: Bench = {
  name: 'ingest',
  about: `documents by other authors, about 100 kB each, ${documentsInFlight} in flight, from POST to COMPLETED; the same documents through a Tika server and markitdown; small files, and bursts of them`,
  async run({ scale, say }) {
    const python = await findMarkitdown();
    const documents = await fetchCorpus(corpusEntries, Math.max(2, Math.round(12 * scale)), python, say);
    const manuals = await fetchCorpus(manualEntries, Math.max(2, Math.round(8 * scale)), python, say);
    // A round of only a dozen documents would end before eight of them are in flight for long.
    const passes = Math.max(1, Math.round(2 * scale));
    const given = Array.from({ length: passes }, () => documents).flat();
    // With four sides and five parts, more rounds would make a quick look slow.
    const rounds = scale < 0.2 ? 1 : 3;
    const tika = await startTika(documentsInFlight, say);
    try {
      const markitdown = await startMarkitdown(python, documentsInFlight);
      try {
        const rig = await startIngestRig();
        try {
          const rivals = { tika, markitdown };
          const recall = await compareTexts(rig, rivals, documents, say);
          const { figures, counts } = await measureDocuments(
            rig,
            rivals,
            { documents: given, manuals },
            rounds,
            say,
          );
          const twoWorkers = await measureTwoWorkers(rig, given, rounds, say);
          const small = await measureSmallFiles(rig, scale, say);
          return { figures: [...figures, twoWorkers], counts: [...small, ...counts, ...recall] };
        } finally {
          await rig.stop();
        }
      } finally {
        await markitdown.stop();
      }
    } finally {
      await tika.stop();
    }
  },
};
