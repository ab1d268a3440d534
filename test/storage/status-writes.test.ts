import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const folders = ['activities', 'api', 'cli', 'runtime', 'storage'];
const tables = 'resources|runs|steps';
/** SQL that changes a status, up to the end of its `set` clause. */
const changing = new RegExp(
  `\\bupdate\\s+(${tables})\\s+(\\w+\\s+)?set\\b((?!\\b(where|from|returning)\\b)[^])*?\\bstatus\\s*=`,
  'i',
);
const inserting = new RegExp(`\\binsert\\s+into\\s+(${tables})\\b`, 'i');
const tableOfKnex = new RegExp(`\\(\\s*'(${tables})\\b`);

describe('the status of resources, runs and steps', () => {
  const sources = folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts') && !file.startsWith('storage/migrations/'))
    .map((file) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  const filesWith = (found: (node: ts.Node) => boolean): string[] =>
    sources.filter((source) => holds(source, found)).map(({ fileName }) => fileName);

  it('is changed only in status-writes.ts', () => {
    assert.deepEqual(
      filesWith((node) => isSql(node, changing) || isKnexUpdate(node)),
      ['storage/transitions/status-writes.ts'],
    );
  });

  it('is first written when a resource is registered and a run is started', () => {
    assert.deepEqual(
      filesWith((node) => isSql(node, inserting) || isKnexCall(node, 'insert')),
      ['storage/resources/resources.ts', 'storage/transitions/start-run.ts'],
    );
  });

  it('is detected in both ways of writing a statement', () => {
    const isFound = (code: string): boolean =>
      holds(
        ts.createSourceFile('x.ts', code, ts.ScriptTarget.Latest, true),
        (node) => isSql(node, changing) || isKnexUpdate(node),
      );
    assert.ok(isFound("trx('steps').where({ id }).update({ attempt: 1, status: 'FAILED' })"));
    assert.ok(isFound("trx('steps as s').where({ id }).update({ ...rest, status })"));
    assert.ok(isFound('const sql = `with a as (update runs r set error = ${1}, status = ?)`'));
    assert.ok(!isFound("trx('steps').where({ status: 'FAILED' }).update({ attempt: 1 })"));
    assert.ok(!isFound("const sql = 'update steps set attempt = 1 where status = 1'"));
  });
});

function holds(node: ts.Node, found: (node: ts.Node) => boolean): boolean {
  return found(node) || (ts.forEachChild(node, (child) => holds(child, found) || undefined) ?? false);
}

function isSql(node: ts.Node, pattern: RegExp): boolean {
  return (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && pattern.test(node.getText());
}

/** A call of knex's on one of the tables, such as `trx('steps').where(…).update(…)`. */
function isKnexCall(node: ts.Node, method: string): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === method &&
    tableOfKnex.test(node.expression.getText())
  );
}

function isKnexUpdate(node: ts.Node): boolean {
  if (!isKnexCall(node, 'update')) return false;
  return node.arguments.some(
    (argument) =>
      ts.isObjectLiteralExpression(argument) &&
      argument.properties.some((property) => property.name?.getText() === 'status'),
  );
}
