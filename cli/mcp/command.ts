import { onInterrupt } from '../command.js';
import { readClientEnvironment } from '../service/environment.js';
import { findService, type ServiceFlags } from '../service/find-service.js';
import { createTransport } from '../service/transport.js';
import { createOutput } from '../terminal/output.js';
import { createExchange } from './exchange.js';
import { readMessages } from './messages.js';
import { patient } from './patient-transport.js';
import { passOn } from './proxy.js';

/**
 * Speaks the Model Context Protocol over standard input and output until the input ends. Standard output
 * carries only messages; everything else goes to standard error.
 */
export async function mcp(flags: ServiceFlags): Promise<void> {
  const service = findService(flags, readClientEnvironment());
  const interruption = onInterrupt();
  const { transport, close } = createTransport(service.url);
  const output = createOutput(process.stdout);
  try {
    await passOn({
      messages: readMessages(process.stdin, interruption.signal),
      exchange: createExchange(service, patient(transport)),
      write: (message) => output.write(`${JSON.stringify(message)}\n`),
      signal: interruption.signal,
    });
  } finally {
    interruption.end();
    await close();
  }
}
