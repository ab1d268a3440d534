// Loaded with --import. Reports the longest time that the process's event loop was blocked since the last request.
// Measures the CPU time of its single thread, so that a busy machine does not look like a blocked loop.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

/** Returns this thread's CPU time in milliseconds, or the wall-clock time if the system does not report it. */
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
    // Timers run before the next response, so the blocking until now is included.
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

// Threads load this file too, but may block.
if (isMainThread) startProbe();
