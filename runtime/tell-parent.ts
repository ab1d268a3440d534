/** What a process of the service reports during its start to the process that started it. */
export type StartReport =
  { readonly type: 'ready'; readonly url?: string } | { readonly type: 'waiting'; readonly for: string };

/** Sends a report over the channel, if the parent has one and still runs: a closed channel would end this process. */
export function tellParent(report: StartReport): void {
  if (process.connected) process.send?.(report);
}
