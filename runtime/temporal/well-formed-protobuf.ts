import { createRequire } from 'node:module';

interface Utf8 {
  write: (text: string, buffer: Uint8Array, offset: number) => number;
}

// The copy that the SDK writes its messages with, which npm may have put anywhere.
const ofSdk = createRequire(createRequire(import.meta.url).resolve('@temporalio/proto'));
const { util } = ofSdk('protobufjs/minimal') as { readonly util: { readonly utf8: Utf8 } };
const { write } = util.utf8;

/*
 * protobufjs writes half a surrogate pair in a short string as bytes that are no UTF-8. Temporal's native client and
 * its server refuse the whole message then: the worker shuts down, takes the task again and shuts down again. The
 * replacement character has as many bytes, so that the lengths written before stay true.
 */
util.utf8.write = (text, buffer, offset) => write(text.toWellFormed(), buffer, offset);
