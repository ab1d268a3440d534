import { withRetries, type Transport } from '@knowledge-warehouse/client';

import { onInterrupt } from '../command.js';
import { readClientEnvironment } from '../service/environment.js';
import { findService, type ServiceFlags } from '../service/find-service.js';
import { createTransport } from '../service/transport.js';
import { createOutput } from '../terminal/output.js';
import { createExchange } from './exchange.js';
import { readMessages } from './messages.js';
import { passOn } from './proxy.js';

/**
 * Speaks the Model Context Protocol over standard input and output until the input ends. Standard output
 * carries only messages; everything else goes to standard error.
 */
export async function mcp(flags: ServiceFlags): Promise<void> {
  const service = findService(flags, readClientEnvironment());
  const interruption = onInterrupt();
  const { transport, close } = createTransport(service.url);
  // A starting service refuses connections for some seconds. Nothing is sent twice.
  const patient: Transport = (request) =>
    withRetries(() => transport(request), { tries: 6, repeatable: false, signal: request.signal });
  const output = createOutput(process.stdout);
  try {
    await passOn({
      messages: readMessages(process.stdin, interruption.signal),
      exchange: createExchange(service, patient),
      write: (message) => output.write(`${JSON.stringify(message)}\n`),
      report: (problem) => void process.stderr.write(`${problem}\n`),
      signal: interruption.signal,
    });
  } finally {
    interruption.end();
    await close();
  }
}
