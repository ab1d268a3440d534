import Papa from 'papaparse';

import { parseJson } from '@knowledge-warehouse/plugin/protocol';
import { CommandError } from '../exit.js';
import { inputName, readInput } from '../input.js';
import { isUuid } from '../service/find-resource.js';

/** A question, and the ids or names of the resources that answer it. */
export interface Question {
  readonly question: string;
  readonly resources: readonly string[];
}

/** Reads questions from JSON Lines, or from CSV if the first line does not start with a brace. Throws CommandError. */
export async function readQuestions(path: string): Promise<readonly Question[]> {
  const file = inputName(path);
  const text = (await readInput(path)).replace(/^\ufeff/, '');
  const questions = /^\s*\{/.test(text) ? fromJsonLines(file, text) : fromCsv(file, text);
  if (questions.length === 0) throw new CommandError(`${file} contains no question.`);
  return questions.map(({ question, resources }) => ({ question, resources: resources.map(asAnswered) }));
}

/** The API writes ids in lower case. */
const asAnswered = (idOrName: string): string => (isUuid(idOrName) ? idOrName.toLowerCase() : idOrName);

/** What a search accepts, in Unicode code points. */
const longest = 1_000;
const isAskable = (question: string): boolean =>
  question.trim() !== '' && Array.from(question).length <= longest;
const askable = 'needs a question of 1 to 1,000 characters';
const wanted = 'needs "question" and "resources", the ids or names of the resources that answer it';

function fromJsonLines(file: string, text: string): Question[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const value = parseJson(line);
    if (value === undefined) throw new CommandError(`${file}:${at + 1} is not JSON.`);
    const fields = Object(value) as Record<string, unknown>;
    const { question, q = question, resources, resource = resources } = fields;
    const list = Array.isArray(resource) ? (resource as unknown[]) : [resource];
    if (typeof q !== 'string' || list.length === 0 || !list.every((one) => typeof one === 'string'))
      throw new CommandError(`${file}:${at + 1} ${wanted}.`);
    if (!isAskable(q)) throw new CommandError(`${file}:${at + 1} ${askable}.`);
    return [{ question: q, resources: list }];
  });
}

function fromCsv(file: string, text: string): Question[] {
  const [header = [], ...rows] = csvRows(file, text);
  const names = header.map((name) => name.trim().toLowerCase());
  const question = names.findIndex((name) => name === 'question' || name === 'q');
  const resources = names.findIndex((name) => name === 'resources' || name === 'resource');
  if (question === -1 || resources === -1)
    throw new CommandError(`${file}:1 ${wanted}; several of these are separated by semicolons.`);
  return rows.flatMap((row, at) => {
    if (row.every((cell) => cell.trim() === '')) return [];
    if (row.length !== header.length) {
      const hint =
        row.length > header.length ? ' A cell that contains the separator needs quotation marks.' : '';
      const cells = row.length === 1 ? '1 cell' : `${row.length} cells`;
      throw new CommandError(`${file}: row ${at + 2} has ${cells}, but row 1 has ${header.length}.${hint}`);
    }
    const answers = (row[resources] ?? '').split(';').map((one) => one.trim());
    const known = answers.filter((one) => one !== '');
    const asked = row[question]?.trim() ?? '';
    if (known.length === 0) throw new CommandError(`${file}: row ${at + 2} ${wanted}.`);
    if (!isAskable(asked)) throw new CommandError(`${file}: row ${at + 2} ${askable}.`);
    return [{ question: asked, resources: known }];
  });
}

/** Parses the rows of a CSV file. Throws CommandError if one is malformed. */
function csvRows(file: string, text: string): readonly string[][] {
  // Where commas are decimal, spreadsheets separate the cells with semicolons.
  const delimiter = /^[^\r\n]*,/.test(text) ? ',' : ';';
  // Papaparse knows only one kind of line break for a whole file.
  const lines = text.replaceAll(/\r\n?/g, '\n');
  const { data, errors } = Papa.parse<string[]>(lines, { delimiter, newline: '\n' });
  const [error] = errors;
  if (error !== undefined)
    throw new CommandError(`${file}: row ${(error.row ?? 0) + 1} is not CSV: ${error.message}.`);
  return data;
}
