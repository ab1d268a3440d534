import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A function as a profile names it; line and column count from 0. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Where a function stands. */
export interface Place {
  /** Of the function, with its file and line. */
  readonly name: string;
  /** What its cost is counted for: a package, a file of ours, `node internals`, a native function, `(garbage collector)` … */
  readonly group: string;
  readonly kind: 'ours' | 'package' | 'node' | 'engine';
}

const project = fileURLToPath(new URL('../../', import.meta.url));
const built = resolve(project, 'dist');

/** Says where functions stand: in their sources, where what was built has a source map. */
export function createPlaces(): (frame: CallFrame) => Place {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (file: string): SourceMap | null => {
    let map = maps.get(file);
    if (map === undefined) maps.set(file, (map = readSourceMap(file)));
    return map;
  };
  return (frame) => {
    const { functionName, url } = frame;
    if (url === '') return builtIn(functionName);
    if (url.startsWith('node:')) return placed(functionName, url, null, 'node internals', 'node');
    if (url.startsWith('wasm:')) return placed(functionName, 'WebAssembly', null, 'WebAssembly', 'package');
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    // Empty where a place was made by the build alone.
    const source: Partial<SourceMapping> = file.startsWith(built)
      ? (mapOf(file)?.findEntry(frame.lineNumber, frame.columnNumber) ?? {})
      : {};
    return source.originalSource === undefined
      ? inFile(functionName, file, frame.lineNumber)
      : inFile(functionName, resolve(dirname(file), source.originalSource), source.originalLine ?? 0);
  };
}

function inFile(functionName: string, file: string, line: number): Place {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\/(.*)/.exec(file);
  if (inPackage !== null) {
    const [, name = '', path = ''] = inPackage;
    return placed(functionName, `${name}/${path}`, line, name, 'package');
  }
  const path = file.startsWith(project) ? relative(project, file) : file;
  return placed(functionName, path, line, path, file.startsWith(project) ? 'ours' : 'node');
}

function placed(
  functionName: string,
  file: string,
  line: number | null,
  group: string,
  kind: Place['kind'],
): Place {
  const where = line === null ? file : `${file}:${line + 1}`;
  return { name: `${functionName || '(anonymous)'} ${where}`, group, kind };
}

/** What has no file: V8's own work, functions in C++, and those that were made from a text. */
function builtIn(name: string): Place {
  if (/^\(.+\)$/.test(name)) return { name, group: name, kind: 'engine' };
  if (name.startsWith('RegExp: ')) {
    const expression = name.length > 60 ? `${name.slice(0, 60)}…` : name;
    return { name: expression, group: '(regular expressions)', kind: 'engine' };
  }
  // So ajv calls what it compiles schemas into.
  if (/^validate\d+$/.test(name)) return { name: `${name} ajv`, group: 'ajv', kind: 'package' };
  if (/wasm/i.test(name)) return { name, group: 'WebAssembly', kind: 'package' };
  return { name: `${name || '(anonymous)'} (native)`, group: `${name} (native)`, kind: 'node' };
}

function readSourceMap(file: string): SourceMap | null {
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  const [, reference = ''] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(text) ?? [];
  if (reference === '') return null;
  const inline = /^data:.*;base64,(.*)$/.exec(reference)?.[1];
  const json =
    inline === undefined
      ? readFileSync(resolve(dirname(file), reference), 'utf8')
      : Buffer.from(inline, 'base64').toString();
  return new SourceMap(JSON.parse(json) as SourceMapPayload);
}
