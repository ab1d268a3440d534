import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Resource } from '@knowledge-warehouse/client';
import { createBoard } from '../../cli/resources/board.js';
import { createLiveLines } from '../../cli/terminal/live-lines.js';

describe('the progress of many resources on a terminal', () => {
  it('formats only the resources that fit', async () => {
    const terminal = new PassThrough();
    const lines = createLiveLines(
      Object.assign(terminal, { isTTY: true, rows: 7, columns: 80 }) as unknown as NodeJS.WriteStream,
    );
    const board = createBoard(lines);
    let reads = 0;
    for (let index = 0; index < 1_000; index += 1) {
      const resource = {
        steps: [],
        error: null,
        get status() {
          reads += 1;
          return 'COMPLETED';
        },
      };
      board.resource(String(index), `number ${index}`, resource as unknown as Resource);
    }
    reads = 0;
    lines.print('a printed line');
    // Each line reads the status of its resource a few times.
    assert(reads > 0 && reads < 100, `${reads} reads`);
    lines.end();
    terminal.end();
    const drawn = (await text(terminal)).split('a printed line')[1]?.match(/number \d|… and .*/g);
    assert.deepEqual(drawn, ['number 0', 'number 1', 'number 2', 'number 3', '… and 996 more']);
  });
});
