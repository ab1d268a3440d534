import { session } from '../examples/session.js';
import { objectOf, text, timeOrNull, uuid } from './common.js';
import { typed } from './typed.js';

const secret = { type: 'string', minLength: 1, maxLength: 200, writeOnly: true } as const;

/** The credentials of a browser's login: one of the two. */
export const newSessionSchema = typed({
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: {
    api_key: { ...secret, description: 'An API key, kw_….' },
    login_token: {
      ...secret,
      description: 'The value after `#token=` in a log-in link. It works once, within five minutes.',
    },
  },
  examples: [{ api_key: 'kw_…' }, { login_token: 'kwl_…' }],
});

const urlOf = (description: string, example: string) =>
  ({ type: 'string', format: 'uri', description, examples: [example] }) as const;

export const sessionSchema = {
  ...objectOf({
    api_key: {
      title: 'SessionKey',
      description: 'The key of the caller or of the session.',
      ...objectOf({
        id: uuid,
        name: text('What it is for.', 'admin'),
        scopes: {
          type: 'array',
          items: { type: 'string' },
          description: '`read`, `write`, `admin`, `plugin:{id}`.',
          examples: [['admin']],
        },
      }),
    },
    expires_at: timeOrNull('When the session ends; requests can extend it. Null for a bearer token.'),
    public_url: urlOf('The base of every URL in responses.', 'https://knowledge.example.com'),
    temporal_ui: {
      ...urlOf(
        'The namespace in the Temporal Web UI; null if unknown.',
        'http://127.0.0.1:8233/namespaces/default',
      ),
      type: ['string', 'null'],
    },
    last_event_id: text(
      'The current position of `/events`. A stream that starts after it contains every later change.',
      session.last_event_id,
    ),
  }),
  examples: [session],
} as const;
