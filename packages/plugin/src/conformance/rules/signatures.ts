import type { Attempt } from '../attempt.js';
import { failed, passed, type Finding, type Rule } from '../rule.js';
import { otherSecret, type Signing } from '../worker.js';
import type { Kit } from '../kit.js';

const section = 'the-protocol-of-http-workers';
const refusals = [401, 403];

/** A message that every worker must refuse, and the reason. */
interface Forgery {
  readonly what: string;
  readonly signing: Signing | 'unsigned';
}

/** Checks that the worker refuses each message and processes none. */
async function refusesAll(kit: Kit, forgeries: readonly Forgery[]): Promise<() => Finding> {
  const tried: { what: string; status: number; attempt: Attempt }[] = [];
  for (const { what, signing } of forgeries) {
    const attempt = kit.attempt();
    const { status } = await kit.worker.post(attempt.message, signing);
    tried.push({ what, status, attempt });
  }
  return () => {
    const taken = tried.find(({ status }) => !refusals.includes(status));
    if (taken !== undefined) return failed('401', `${taken.status} to a message ${taken.what}`);
    const worked = tried.find(({ attempt }) => attempt.reads.length + attempt.reports.length > 0);
    if (worked !== undefined)
      return failed('no work on a refused message', `work on a message ${worked.what}`);
    return passed;
  };
}

const signatureRequired: Rule = {
  name: 'signature-required',
  section,
  run: (kit) =>
    refusesAll(kit, [
      { what: 'without a signature', signing: 'unsigned' },
      { what: 'signed with another secret', signing: { secrets: [otherSecret] } },
      { what: 'whose body was changed after it was signed', signing: { of: '{"protocol":"kw.step/1"}' } },
    ]),
};

const staleTimestampRefused: Rule = {
  name: 'stale-timestamp-refused',
  section,
  run: (kit) =>
    refusesAll(kit, [
      { what: 'sent ten minutes ago', signing: { at: Date.now() - 600_000 } },
      { what: 'dated ten minutes ahead', signing: { at: Date.now() + 600_000 } },
    ]),
};

const signatureRotation: Rule = {
  name: 'signature-rotation',
  section,
  async run(kit) {
    const orders = [
      [kit.worker.secret, otherSecret],
      [otherSecret, kit.worker.secret],
    ];
    for (const secrets of orders) {
      const { answer } = await kit.settle(kit.attempt(), { secrets });
      if (refusals.includes(answer.status))
        return failed('a message with two signatures is accepted if one is right', String(answer.status));
    }
    return passed;
  },
};

const unknownProtocol: Rule = {
  name: 'unknown-protocol',
  section,
  async run(kit) {
    const { message } = kit.attempt();
    const { status } = await kit.worker.post({ ...message, protocol: 'kw.step/99' });
    return status >= 400 && status <= 499
      ? passed
      : failed('a 4xx to a protocol it does not know, such as kw.step/99', String(status));
  },
};

export const signatureRules = [signatureRequired, staleTimestampRefused, signatureRotation, unknownProtocol];
