import { isGrpcServiceError, type Connection } from '@temporalio/client';
import {
  defineSearchAttributeKey,
  SearchAttributeType,
  TypedSearchAttributes,
  type SearchAttributePair,
} from '@temporalio/common';
import proto from '@temporalio/proto';

import { clip } from '@knowledge-warehouse/plugin/protocol';
import { messageOf } from '../../core/errors.js';
import { jsonBytes } from './clip.js';
import { isUnavailable } from './errors.js';

const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_KEYWORD_LIST } =
  proto.temporal.api.enums.v1.IndexedValueType;

const indexedTypes = {
  [SearchAttributeType.KEYWORD]: INDEXED_VALUE_TYPE_KEYWORD,
  [SearchAttributeType.KEYWORD_LIST]: INDEXED_VALUE_TYPE_KEYWORD_LIST,
} as const;

const resourceIdKey = defineSearchAttributeKey('KwResourceId', SearchAttributeType.KEYWORD);
const resourceNameKey = defineSearchAttributeKey('KwResourceName', SearchAttributeType.KEYWORD);
const resourceTypeKey = defineSearchAttributeKey('KwResourceType', SearchAttributeType.KEYWORD);
const pluginKey = defineSearchAttributeKey('KwPlugin', SearchAttributeType.KEYWORD_LIST);

/** The search attributes by which the Web UI finds runs. */
const keys = [resourceIdKey, resourceNameKey, resourceTypeKey, pluginKey];

const longestKeyword = 255;
/** Bytes of an attribute's JSON. Temporal takes 2,048 unless it is told otherwise, and refuses the start for one more. */
const largestValue = 2_000;

/** What a run is found by: its resource, and as many of its plugins as fit, in the order of the steps. */
export function runAttributes(run: {
  readonly resourceId: string;
  readonly name: string;
  readonly type: string;
  readonly plugins: readonly string[];
}): TypedSearchAttributes {
  const pairs: SearchAttributePair[] = [
    { key: resourceIdKey, value: run.resourceId },
    { key: resourceNameKey, value: clip(run.name, longestKeyword) },
    { key: resourceTypeKey, value: clip(run.type, longestKeyword) },
    { key: pluginKey, value: firstThatFit(run.plugins) },
  ];
  return new TypedSearchAttributes(pairs);
}

/** What a clean-up is found by. */
export function cleanUpAttributes(resourceId: string): TypedSearchAttributes {
  return new TypedSearchAttributes([{ key: resourceIdKey, value: resourceId }]);
}

/** Which of our search attributes the namespace does not know. Rejects where they may not be listed. */
export async function missingSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  return (await missingKeys(connection, namespace)).map(({ name }) => name);
}

/** A call that an operator waits for. */
const soon = <T>(connection: Connection, work: () => Promise<T>): Promise<T> =>
  connection.withDeadline(Date.now() + 10_000, work);

async function missingKeys(connection: Connection, namespace: string): Promise<typeof keys> {
  const { customAttributes } = await soon(connection, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  return keys.filter(({ name }) => !Object.hasOwn(customAttributes, name));
}

/**
 * Makes the namespace know our search attributes. Those it knows already are fine. Returns a warning for people when
 * it cannot be done (no permission, too many attributes): runs then start without them. Rejects when Temporal does
 * not answer.
 */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
): Promise<string | null> {
  try {
    const missing = await missingKeys(connection, namespace);
    if (missing.length > 0) {
      const searchAttributes = Object.fromEntries(
        missing.map(({ name, type }) => [name, indexedTypes[type]]),
      );
      await soon(connection, () =>
        connection.operatorService.addSearchAttributes({ namespace, searchAttributes }),
      );
    }
    return null;
  } catch (error) {
    if (isAlreadyThere(error)) return null;
    if (isUnavailable(error)) throw error;
    return `The search attributes ${keys.map(({ name }) => name).join(', ')} could not be registered: ${messageOf(error)}`;
  }
}

/** Why a namespace refused a search attribute, which it does not know, or not with this value. Null: it did not. */
export function attributeRefusal(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (/search attribute/i.test(messageOf(cause))) return messageOf(cause);
  }
  return null;
}

/** gRPC code ALREADY_EXISTS: another process was quicker. */
function isAlreadyThere(error: unknown): boolean {
  return isGrpcServiceError(error) && (error.code as number) === 6;
}

function firstThatFit(values: readonly string[]): string[] {
  const fit = [...values];
  while (jsonBytes(fit) > largestValue) fit.pop();
  return fit;
}
