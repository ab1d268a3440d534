import { createRequire } from 'node:module';

interface Utf8 {
  write: (text: string, buffer: Uint8Array, offset: number) => number;
}

// The copy of protobufjs that the SDK uses; npm may have installed it anywhere.
const ofSdk = createRequire(createRequire(import.meta.url).resolve('@temporalio/proto'));
const { util } = ofSdk('protobufjs/minimal') as { readonly util: { readonly utf8: Utf8 } };
const { write } = util.utf8;

/*
 * protobufjs encodes a lone surrogate in a short string as invalid UTF-8. Temporal's native client and its server then
 * reject the whole message: the worker shuts down, takes the task again and shuts down again. The replacement character
 * has the same number of bytes, so that lengths already written stay correct.
 */
util.utf8.write = (text, buffer, offset) => write(text.toWellFormed(), buffer, offset);
