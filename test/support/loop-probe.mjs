// Loaded into a process with --import. Says how long that process's event loop was held at a stretch since it was last
// asked: by the processor's time of its one thread, so that a busy machine is not taken for a busy loop.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

/** Milliseconds of processor time of this thread; by the clock where the system does not say. */
function spent() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

function startProbe() {
  let longest = 0;
  let last = spent();
  const look = () => {
    const now = spent();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(look, 2).unref();

  createServer((_request, response) => {
    // Timers are due before the next answer: what held the loop until now is seen.
    setTimeout(() => {
      look();
      response.end(String(longest));
      longest = 0;
    }, 4);
  })
    .listen(0, '127.0.0.1', function listening() {
      process.stdout.write(`loop probe on ${this.address().port}\n`);
    })
    .unref();
}

// Threads are loaded with it too, and may take their time.
if (isMainThread) startProbe();
