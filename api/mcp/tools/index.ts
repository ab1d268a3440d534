import type { Tool } from '../tool.js';
import { addText } from './add-text.js';
import { addUrl } from './add-url.js';
import { fetchText } from './fetch.js';
import { getResource } from './get-resource.js';
import { listResources } from './list-resources.js';
import { search } from './search.js';

/** All tools, in the order in which models see them. */
export const tools: readonly Tool[] = [search, fetchText, listResources, getResource, addUrl, addText];
