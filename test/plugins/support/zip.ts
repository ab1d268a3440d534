import { constants, crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  /** Raw deflate data. */
  readonly deflated: Buffer;
  readonly size: number;
  readonly crc: number;
  readonly encrypted?: boolean;
}

export function zipEntry(name: string, content: string | Buffer): ZipEntry {
  const bytes = Buffer.from(content);
  return { name, deflated: deflateRawSync(bytes), size: bytes.length, crc: crc32(bytes) };
}

/** An entry that claims a size and unpacks to `mebibytes` of spaces, made without packing as much. */
export function bomb(name: string, mebibytes: number, claimedSize = mebibytes * 1024 * 1024): ZipEntry {
  return { name, deflated: spaces(mebibytes), size: claimedSize, crc: 0 };
}

/** Raw deflate data of many spaces: a block that stands by itself may be repeated. */
export function spaces(mebibytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array<Buffer>(mebibytes).fill(block), deflateRawSync(Buffer.alloc(0))]);
}

/** A zip file (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3). */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, deflated, size, crc, encrypted } of entries) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(encrypted ? 1 : 0, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(deflated.length, 14);
    common.writeUInt32LE(size % 2 ** 32, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), deflated]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, place, Buffer.from(name)]));
    files.push(file);
    offset += file.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listing, end]);
}
