import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { mock } from 'node:test';
import { text } from 'node:stream/consumers';
import type { Resource } from '@knowledge-warehouse/client';
import { createBoard } from '../../cli/resources/board.js';
import { createLiveLines, type LiveLines } from '../../cli/terminal/live-lines.js';

describe('the progress of resources without a terminal', () => {
  before(() => mock.timers.enable({ apis: ['setTimeout'] }));
  after(() => mock.timers.reset());

  it('prints why a resource waits only when the wait lasts', () => {
    const printed: string[] = [];
    const lines = { live: false, show: () => undefined, print: (line: string) => void printed.push(line) };
    const board = createBoard(lines as unknown as LiveLines);
    const show = (status: string, message?: string): void => {
      const waiting_for = message === undefined ? null : { message, until: '2026-01-02T03:04:05.000Z' };
      const step = { index: 0, plugin_id: 'ocr', status, attempt: 1, error: null, waiting_for };
      board.resource('a', 'scan', { status: 'PROCESSING', steps: [step] } as unknown as Resource);
    };
    const state = 'scan: PROCESSING, step 0 (ocr),';
    show('PENDING', 'for a worker');
    mock.timers.tick(4_000);
    show('RUNNING');
    mock.timers.tick(60_000);
    assert.deepEqual(printed.splice(0), [`${state} PENDING`, `${state} RUNNING`]);

    show('RUNNING', 'for a callback');
    mock.timers.tick(4_000);
    show('RUNNING', 'for a callback, longer');
    mock.timers.tick(4_000);
    show('RUNNING', 'for a callback, longer');
    mock.timers.tick(60_000);
    assert.deepEqual(printed.splice(0), ['scan: for a callback, longer (until 2026-01-02T03:04:05.000Z)']);

    show('RUNNING', 'for another callback');
    show('RUNNING', 'for a callback, longer');
    mock.timers.tick(60_000);
    assert.deepEqual(printed, []);

    show('PENDING', 'for a worker');
    board.remove('a');
    mock.timers.tick(60_000);
    assert.deepEqual(printed, [`${state} PENDING`]);
  });
});

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
