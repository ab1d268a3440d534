import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallFrame, Place } from './places.js';

/** A function within those that called it. Times are in microseconds. */
export interface Call {
  readonly place: Place;
  /** In the function itself. */
  self: number;
  /** With all it called. */
  total: number;
  readonly calls: Map<string, Call>;
}

/** What a thread did. */
export interface ThreadCalls {
  readonly thread: string;
  readonly root: Call;
  /** Time in which it waited. */
  readonly idle: number;
}

/** What `--cpu-prof` writes. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    readonly children?: readonly number[];
  }[];
  readonly startTime: number;
  readonly endTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Reads the profiles of a process's threads, the main thread's first, from one moment to another. */
export function readThreads(
  folder: string,
  from: number,
  to: number,
  placeOf: (frame: CallFrame) => Place,
): ThreadCalls[] {
  const files = readdirSync(folder).map((name) => {
    // CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile
    const [, thread] = /\.(\d+)\.\d+\.cpuprofile$/.exec(name) ?? [];
    return { name, thread: Number(thread) };
  });
  const threads = files
    .sort((a, b) => a.thread - b.thread)
    .map(({ name, thread }) => {
      const profile = JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile;
      return {
        thread: thread === 0 ? 'main thread' : `thread ${thread}`,
        ...readCalls(profile, from, to, placeOf),
      };
    });
  if (threads.every(({ root }) => root.total === 0))
    throw new Error(`No profile in ${folder} saw anything of the load.`);
  return threads;
}

function readCalls(
  profile: CpuProfile,
  from: number,
  to: number,
  placeOf: (frame: CallFrame) => Place,
): { readonly root: Call; readonly idle: number } {
  const times = new Map<number, number>();
  let at = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    at += profile.timeDeltas[index] ?? 0;
    const until = index + 1 < profile.samples.length ? at + (profile.timeDeltas[index + 1] ?? 0) : at;
    const inside = Math.min(until, to) - Math.max(at, from);
    if (inside > 0) times.set(id, (times.get(id) ?? 0) + inside);
  }
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  let idle = 0;
  const add = (id: number, parent: Call): void => {
    const { callFrame, children = [] } = nodes.get(id)!;
    const self = times.get(id) ?? 0;
    if (callFrame.functionName === '(idle)') return void (idle += self);
    const place = placeOf(callFrame);
    let call = parent.calls.get(place.name);
    if (call === undefined) parent.calls.set(place.name, (call = newCall(place)));
    call.self += self;
    for (const child of children) add(child, call);
  };
  const root = newCall({ name: '(root)', group: '(root)', kind: 'engine' });
  for (const id of profile.nodes[0]?.children ?? []) add(id, root);
  sumUp(root);
  return { root, idle };
}

function newCall(place: Place): Call {
  return { place, self: 0, total: 0, calls: new Map() };
}

function sumUp(call: Call): number {
  call.total = call.self;
  for (const each of call.calls.values()) call.total += sumUp(each);
  return call.total;
}
