import { ServiceError, validationFailed, type ValidationFinding } from '../../core/errors.js';
import { RawJson } from '../../core/json/raw-json.js';
import { coreTaskQueue } from '../../core/runs/run-protocol.js';
import type { Db } from '../../storage/database/connection.js';
import { newSigningSecret } from '@knowledge-warehouse/plugin/signing';
import {
  addSigningSecret,
  findPlugin,
  insertPlugin,
  lockPlugin,
  updateRegistration,
  type PluginRegistration,
  type WholePlugin,
} from '../../storage/pipelines/plugins.js';
import { newOcr, newOcrWorker, registeredOcr, registeredOcrWorker } from '../examples/plugin.js';
import type { ApiDeps } from '../deps.js';
import { location } from '../reply/location.js';
import { found } from '../lookups/found.js';
import { refuseCoreQueue, toRegistration, type ReadPlugin } from '../registration/plugin-registration.js';
import type { IfMatch } from '../request/preconditions.js';
import { hasScope, type Principal } from '../auth/principal.js';
import { defineRoute, type Change, type Reply, type Route } from '../route.js';
import { newPluginSchema, pluginIdParam, pluginRegistrationSchema } from '../schemas/plugin-requests.js';
import { registeredPluginSchema } from '../schemas/plugin.js';
import { readAs } from '../schemas/typed.js';
import { lockedPluginTag } from '../reply/entity-tags.js';
import { readWhole, showPlugin } from '../views/show-plugin.js';

const tag = 'Plugins';
const newPlugin = readAs<ReadPlugin & { readonly id: string }>(newPluginSchema);
const pluginRegistration = readAs<ReadPlugin & { readonly id?: string }>(pluginRegistrationSchema);
const created = {
  description: 'The new plugin; an http plugin with its signing secret, which is not shown again.',
  schema: registeredPluginSchema,
  headers: { Location: 'The URL of the plugin.' },
} as const;

const create = defineRoute({
  method: 'POST',
  path: '/plugins',
  operationId: 'createPlugin',
  summary: 'Register a new plugin',
  description:
    'An http plugin needs an `endpoint`; an activity plugin a `task_queue` and an `activity_type`. A worker that registers itself at startup uses `PUT /plugins/{id}`.',
  tag,
  scope: 'admin',
  tagged: true,
  bodyForm: 'plugin',
  body: newPlugin,
  responses: { 201: created },
  errors: ['INVALID_PLUGIN', 'URL_NOT_ALLOWED', 'PLUGIN_EXISTS'],
  async handler({ deps, body, principal, change }) {
    const registration = toRegistration(deps, body.id, body);
    refuseCoreQueue(registration);
    const reply = await insert(deps, registration, rawConfig(body), { principal, change });
    if (reply !== null) return reply;
    throw new ServiceError('PLUGIN_EXISTS', `The plugin ${body.id} already exists.`, { id: body.id });
  },
});

const register = defineRoute({
  method: 'PUT',
  path: '/plugins/:id',
  operationId: 'registerPlugin',
  summary: 'Create or update a plugin',
  description:
    'Workers call this when they start. If the plugin exists, its config and state do not change. Only an admin key can change the fields that decide which worker gets its steps: `kind`, `task_queue`, `activity_type`, `endpoint` and `cleanup_activity_type`. No key can change these fields of a built-in plugin: PLUGIN_EXISTS. Only an admin key can remove `writeOnly` from a config value. If the plugin’s own key sends a schema without it, for example because an older version of its worker started last, the service accepts the rest of the schema, adds an `allOf` that keeps the value hidden, and names the value in `config_warnings`.',
  tag,
  scope: 'admin',
  pluginKeys: 'own',
  tagged: true,
  params: { id: { ...pluginIdParam, examples: ['ocr'] } },
  choosesId: true,
  bodyForm: 'plugin',
  body: pluginRegistration,
  bodyExamples: { 'A Temporal worker': newOcrWorker, 'An HTTP worker': newOcr },
  responses: {
    200: {
      description: 'The plugin as it is now.',
      schema: registeredPluginSchema,
      examples: { 'A worker that restarts': registeredOcrWorker },
    },
    201: {
      ...created,
      examples: {
        'A new Temporal worker': registeredOcrWorker,
        'A new HTTP worker': registeredOcr,
      },
    },
  },
  errors: ['INVALID_PLUGIN', 'URL_NOT_ALLOWED', 'PLUGIN_EXISTS'],
  async handler({ deps, params: { id }, body, principal, ifMatch, change }) {
    if (body.id !== undefined && body.id !== id)
      throw validationFailed({ path: '/id', message: 'is not the id in the path' });
    const registration = toRegistration(deps, id, body);
    const registering = { principal, change };
    for (let tries = 1; ; tries += 1) {
      const standing = await findPlugin(deps.db, id);
      if (standing?.task_queue !== coreTaskQueue) refuseCoreQueue(registration);
      if (standing === null) {
        await ifMatch.require(() => Promise.resolve(null));
        const reply = await insert(deps, registration, rawConfig(body), registering);
        if (reply !== null) return reply;
      }
      try {
        return await update(deps, registration, registering, ifMatch);
      } catch (error) {
        // It was deleted meanwhile: create it again.
        const isGone = error instanceof ServiceError && error.code === 'NOT_FOUND';
        if (!isGone || tries === mostTries) throw error;
      }
    }
  },
});

/** How often a registration starts again because somebody deletes the plugin at the same time. */
const mostTries = 5;

const rawConfig = ({ config = '{}' }: ReadPlugin): RawJson => new RawJson(config);

/** The caller of a registration, and how to make the change. */
interface Registering {
  readonly principal: Principal;
  readonly change: Change;
}

/** Adds a plugin; returns null if its id is taken. */
async function insert(
  deps: ApiDeps,
  registration: PluginRegistration,
  config: RawJson,
  { principal, change }: Registering,
): Promise<Reply | null> {
  const config_warnings = await deps.configChecks.requireSchema(registration, config);
  const signingSecret = registration.kind === 'http' ? newSigningSecret() : null;
  const options = { config, signingSecret, builtIn: false };
  const { id } = registration;
  const whole = await change(
    async (trx) => {
      const plugin = await insertPlugin(trx, deps.config.secrets, registration, options);
      return plugin === null ? null : await readWhole(deps, trx, id);
    },
    () => ({ object: { id } }),
  );
  if (whole === null) return null;
  const secret = signingSecret === null ? {} : { signing_secret: signingSecret };
  const { headers, body } = await showPlugin(deps, whole, principal);
  const where = location(deps.config, 'plugins', id);
  return { status: 201, headers: { ...where, ...headers }, body: { ...body, config_warnings, ...secret } };
}

/** Updates an existing plugin. Throws FORBIDDEN or PLUGIN_EXISTS, and NOT_FOUND if it was deleted meanwhile. */
async function update(
  deps: ApiDeps,
  registration: PluginRegistration,
  { principal, change }: Registering,
  ifMatch: IfMatch,
): Promise<Reply> {
  const { id, config_schema } = registration;
  const before = await readRegistered(deps, deps.db, id);
  const config_warnings = await deps.configChecks.requireSchema(registration, before.config);
  const isAdmin = hasScope(principal, 'admin');
  const secrets = isAdmin ? null : await keepSecrets(deps, before, config_schema);
  const written = secrets === null ? registration : { ...registration, config_schema: secrets.schema };
  // A plugin that has always been an activity has none yet; any other keeps its own.
  const signing_secret = registration.kind === 'http' ? newSigningSecret() : null;
  const changed = await change(async (trx) => {
    await ifMatch.require(() => lockedPluginTag(deps, trx, id));
    // The schema was computed from this row. If the row has changed since, compute it again.
    if (secrets !== null && isOther(before, await readRegistered(deps, trx, id))) return null;
    // A person who edits the plugin on the page is not its worker.
    const seen = principal.session === null;
    const updated = await updateRegistration(trx, written, { seen, keepRouting: !isAdmin });
    if (updated !== null) {
      const isNew =
        signing_secret !== null && (await addSigningSecret(trx, deps.config.secrets, id, signing_secret));
      return { whole: await readWhole(deps, trx, id), secret: isNew ? { signing_secret } : {} };
    }
    const { built_in } = found(await findPlugin(trx, id), 'plugin', id);
    if (isAdmin && built_in) {
      throw new ServiceError(
        'PLUGIN_EXISTS',
        `${id} is a built-in plugin: where its steps are sent cannot be changed. Register your own plugin with another id.`,
        { id },
      );
    }
    throw new ServiceError(
      'FORBIDDEN',
      'Only an admin key may change where the steps of a plugin are sent.',
      { required_scope: 'admin' },
    );
  });
  if (changed === null) return await update(deps, registration, { principal, change }, ifMatch);
  const { headers, body } = await showPlugin(deps, changed.whole, principal);
  const warnings = [...(secrets?.warnings ?? []), ...config_warnings];
  return { status: 200, headers, body: { ...body, config_warnings: warnings, ...changed.secret } };
}

/** Returns a plugin with its config. In a transaction, locks it until the end. Throws NOT_FOUND. */
async function readRegistered(deps: ApiDeps, db: Db, id: string): Promise<WholePlugin> {
  if (db.isTransaction === true) await lockPlugin(db, id);
  return await readWhole(deps, db, id);
}

const isOther = (before: WholePlugin, now: WholePlugin): boolean =>
  before.config.text !== now.config.text ||
  before.plugin.config_schema?.text !== now.plugin.config_schema?.text;

/** Returns the schema that a plugin's own key may register: it hides every part of the config that is hidden now. */
async function keepSecrets(
  { jsonThread }: ApiDeps,
  { plugin: { config_schema: before }, config }: WholePlugin,
  schema: RawJson | null,
): Promise<{ readonly schema: RawJson | null; readonly warnings: readonly ValidationFinding[] }> {
  const texts = [before?.text ?? null, schema?.text ?? null, config.text] as const;
  const size = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const { schema: text, kept } = await jsonThread.run('keepWriteOnly', size, ...texts);
  const message = 'stays writeOnly: only an admin key may register a schema that shows this value';
  return {
    schema: text === null ? null : new RawJson(text),
    warnings: kept.map((path) => ({ path, message })),
  };
}

export const pluginRegistrationRoutes: readonly Route[] = [create, register];
