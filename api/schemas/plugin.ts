import {
  chunkText,
  listedChunkText,
  listedOcr,
  ocr,
  ocrDeliveries,
  registeredOcr,
} from '../examples/plugin.js';
import { count, flag, objectOf, objectOrNull, text, textOrNull, timeOrNull, timestamp } from './common.js';
import { declared, pluginId } from './plugin-requests.js';

const listedProperties = {
  id: pluginId,
  name: text('The display name.', 'Optical character recognition'),
  description: text('What it does.'),
  version: text('The version of the worker, for people.', '1.2.0'),
  kind: declared.kind,
  task_queue: textOrNull('The task queue that the workers of an activity plugin poll.'),
  activity_type: textOrNull('The activity type of an activity plugin.'),
  endpoint: textOrNull('The URL that Core posts the steps of an http plugin to.'),
  config_schema: declared.config_schema,
  produces: declared.produces,
  reads: declared.reads,
  heartbeat_seconds: declared.heartbeat_seconds,
  cleanup_activity_type: textOrNull(
    'The activity type that removes what an activity plugin stores elsewhere.',
  ),
  is_active: flag('Steps that begin while it is false fail with PLUGIN_INACTIVE.'),
  built_in: flag('Whether it comes with the service and registers itself at startup.'),
  created_at: timestamp,
  updated_at: timestamp,
  last_seen_at: timeOrNull('When one of its workers last registered, claimed a step or answered a delivery.'),
} as const;

const deliveries = {
  description:
    'How the attempts that were delivered to an http plugin ended. Attempts of deleted resources do not count. Null for activity plugins.',
  ...objectOrNull({
    succeeded: count(
      'The number of attempts that succeeded within the last hour, among the newest 1,000 that ended.',
    ),
    failed: count(
      'The same for failed attempts: the worker did not answer, violated the protocol, timed out, or reported a failure.',
    ),
    success_rate: {
      type: ['number', 'null'],
      minimum: 0,
      maximum: 1,
      description: 'The share of attempts that succeeded; null if there were none within the hour.',
    },
    last_success_at: timeOrNull('When an attempt last succeeded; null: never.'),
    last_failure: {
      description: 'The attempt that failed last; null if none has.',
      ...objectOrNull({
        at: { ...timestamp, description: 'When it failed.' },
        code: text("The worker's own code, or one of Core's.", 'DELIVERY_FAILED'),
        message: text('A message for people.'),
      }),
    },
  }),
  examples: [ocrDeliveries],
} as const;

/** A plugin in a list: all fields except its config. */
export const listedPluginSchema = {
  ...objectOf({ ...listedProperties, deliveries }),
  examples: [listedOcr, listedChunkText],
} as const;

const withConfig = {
  ...listedProperties,
  config: { ...declared.config, description: 'The config that the plugin reads.' },
} as const;

const withWarnings = {
  ...withConfig,
  config_warnings: {
    type: 'array',
    description: 'Where the config does not match the config_schema. The config applies anyway.',
    items: {
      title: 'ConfigWarning',
      ...objectOf({ path: text('A JSON Pointer into the config.'), message: text('What is wrong there.') }),
    },
  },
} as const;

export const pluginSchema = { ...objectOf(withConfig), examples: [ocr] } as const;

export const pluginWithPollersSchema = {
  ...objectOf({
    ...withConfig,
    deliveries,
    pollers: {
      type: ['integer', 'null'],
      minimum: 0,
      description:
        'The number of workers that polled its task queue in the last 90 s; null for http plugins and while Temporal does not answer.',
    },
    last_polled_at: timeOrNull(
      'When a worker last polled its task queue. Running workers poll at least once a minute. Null for http plugins, while Temporal does not answer, and if none has polled in the last few minutes.',
    ),
    pending_clean_ups: {
      title: 'PendingCleanUps',
      description: 'What it still has to remove elsewhere, for deleted resources and removed artifacts.',
      ...objectOf({
        count: count('The number of removals.'),
        oldest_at: {
          type: ['string', 'null'],
          format: 'date-time',
          description: 'When the oldest of them began to wait.',
        },
        last_error: textOrNull(
          'The error of the removal with the most attempts, with a note if no worker polls the task queue; null if there is neither or nothing is pending.',
        ),
      }),
    },
  }),
  examples: [
    {
      ...chunkText,
      deliveries: null,
      pollers: 2,
      last_polled_at: '2025-11-20T09:44:38.120Z',
      pending_clean_ups: { count: 0, oldest_at: null, last_error: null },
    },
  ],
} as const;

/** A plugin after its config changed. */
export const pluginWithWarningsSchema = {
  ...objectOf(withWarnings),
  examples: [{ ...chunkText, config: { size: 256, overlap: 32 }, config_warnings: [] }],
} as const;

export const registeredPluginSchema = {
  ...objectOf(withWarnings),
  properties: {
    ...withWarnings,
    signing_secret: text(
      'The secret that signs the messages to an http plugin (Standard Webhooks). Shown only once, when the plugin is created as an http plugin or becomes one for the first time.',
    ),
  },
  examples: [registeredOcr],
} as const;

export const signingSecretSchema = {
  title: 'SigningSecret',
  ...objectOf({
    signing_secret: text(
      'The new signing secret, which is shown only here. For 24 hours, messages also carry the signatures of the previous secrets.',
    ),
  }),
  examples: [{ signing_secret: registeredOcr.signing_secret }],
} as const;
