import type { AgentDefinition, AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { graphOf } from '../definition/graph.ts';
import { takesData } from '../definition/message-text.ts';
import { mediaTypes, typeByName } from '../media-types.ts';

// Media types that an agent takes and gives, by its nodes.

const TEXT = 'text/plain';
const JSON_TYPE = 'application/json';
const ANY = 'application/octet-stream';

/** Endings of files that the readers of documents read. */
const READABLE = [
  'pdf',
  'hwp',
  'hwpx',
  'docx',
  'doc',
  'xlsx',
  'xls',
  'pptx',
  'ppt',
  'odt',
  'ods',
  'odp',
  'epub',
  'eml',
  'msg',
  'rtf',
  'html',
  'md',
  'csv',
  'txt',
  'png',
  'jpg',
  'gif',
  'webp',
  'tif',
  'bmp',
];

const readsDocuments = (node: AgentNodeForm): boolean => {
  if (node.kind === 'parse_document' || node.kind === 'agent') return true;
  if (node.kind === 'model')
    return (node.files ?? []).length > 0 || node.tools.some(({ kind }) => kind === 'parse_document');
  return node.kind === 'tool' && node.tool.kind === 'parse_document';
};

/** Whether a node reads what messages bring: such an agent takes only files that can be read. */
export const readsFiles = ({ nodes }: AgentDefinition): boolean => nodes.some(readsDocuments);

/** Whether messages may bring files. */
export const takesFiles = ({ nodes }: AgentDefinition): boolean =>
  nodes.some((node) => node.kind === 'input' && node.files);

/** Media types of messages. Data go to agents that name them, and to those with models, which are told of them. */
export function inputModes(definition: AgentDefinition): string[] {
  const said = takesData(graphOf(definition)) ? [TEXT, JSON_TYPE] : [TEXT];
  if (!takesFiles(definition)) return said;
  const files = readsFiles(definition) ? READABLE.map((ending) => mediaTypes[ending] ?? ANY) : [ANY];
  return [...new Set([...said, ...files])];
}

/** Media types of answers. Those of files that tools give are not known before. */
export function outputModes({ nodes }: AgentDefinition): string[] {
  const parts = nodes.flatMap((node) => (node.kind === 'answer' ? (node.parts ?? []) : []));
  const types = parts.map((part) => {
    if (part.kind === 'data') return JSON_TYPE;
    return part.kind === 'files' ? ANY : typeByName(part.name === '' ? 'answer.md' : part.name);
  });
  return [...new Set([TEXT, ...types])];
}
