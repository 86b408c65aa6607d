import { z } from 'zod';
import { GuardMode } from '../utilities/guard.ts';
import { Alpha, Rerank, SearchMode } from '../retrieval/collection.ts';

// What an agent is: a graph of nodes. Edges say what comes after what; texts of a node name the results of nodes before it,
// such as `{{search.text}}`. A node runs once everything before it has run or cannot run any more; branches without an edge
// between them run at the same time.
//
// A draft may leave open what must be chosen (a model, collections, a list, an agent, a tool server): then it is empty, the check
// says so, and no such agent is submitted.

/** Of a node: how texts of other nodes name it. `loop` and `item` are names of their own inside of containers. */
export const NodeId = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Use a small letter first, then small letters, digits and _; at most 40');

/** Text with places for results: `{{node.result}}`, `{{node.result.field}}`. What a node that did not run gives is empty. */
const Template = (longest: number) => z.string().max(longest);

/** Name of one result, such as `input.files`. */
export const Reference = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,39}(\.[A-Za-z0-9_-]{1,100}){1,10}$/,
    'Name a result of a node before this one, such as input.text',
  );

/** Ids of collections of the tenant. None: not chosen yet; such a draft is kept and not deployed. */
const Collections = z.array(z.string().regex(/^[0-9a-f]{32}$/)).max(20);

const head = {
  id: NodeId,
  /** For people; the id where it is empty. */
  name: z.string().trim().max(100).default(''),
  /** The loop or parallel node that it stands in. */
  parent: NodeId.optional(),
  position: z.object({ x: z.number(), y: z.number() }).default({ x: 0, y: 0 }),
};

/** Where a run begins: gives `text`, `files` and `data` of the message, and `history` of the session. One in every agent. */
const InputNode = z.object({
  ...head,
  kind: z.literal('input'),
  /** Whether messages may bring files. */
  files: z.boolean().default(false),
  /** What people see before they write. */
  greeting: z.string().max(2_000).default(''),
  /** Questions to begin with. */
  examples: z.array(z.string().trim().min(1).max(300)).max(6).default([]),
});

/** Finds passages. Gives `passages`, `text` (numbered, for a prompt) and `count`. */
const RetrieveNode = z.object({
  ...head,
  kind: z.literal('retrieve'),
  query: Template(10_000).default('{{input.text}}'),
  collections: Collections,
  /** Left out: as the collections have it. */
  search_type: SearchMode.optional(),
  alpha: Alpha.optional(),
  top_k: z.int().min(1).max(50).default(5),
  rerank: Rerank.optional(),
  score_threshold: z.number().optional(),
  filters: z.record(z.string(), z.unknown()).optional(),
});

/** A tool that a model may call, or that a tool node calls. */
export const ToolChoice = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('search_collection'),
    collections: Collections,
  }),
  z.object({ kind: z.literal('parse_document') }),
  z.object({ kind: z.literal('calculator') }),
  z.object({ kind: z.literal('current_time') }),
  z.object({
    kind: z.literal('server'),
    /** Id of a tool server of the tenant: MCP or HTTP. Empty: not chosen yet. */
    server: z.string().regex(/^([0-9a-f]{32})?$/),
    /** Names of its tools; all where it is empty (models only). */
    tools: z.array(z.string().min(1).max(128)).max(64).default([]),
  }),
]);
export type ToolChoice = z.infer<typeof ToolChoice>;

/** Asks a model. Gives `text`, `json` (with `schema`), `reasoning` and `calls`. */
const ModelNode = z.object({
  ...head,
  kind: z.literal('model'),
  /** Empty: not chosen yet. */
  model: z.string().max(200),
  system: Template(50_000).default(''),
  prompt: Template(100_000).default('{{input.text}}'),
  /** Earlier turns of the session that it is given. */
  history_turns: z.int().min(0).max(50).default(10),
  /** Passages that the answer may cite as [1], [2]: results of retrieve nodes. They are put before the prompt. */
  passages: z.array(Reference).max(5).default([]),
  /** Left out: the model's own. */
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  max_tokens: z.int().min(1).max(32_768).optional(),
  reasoning: z.enum(['default', 'on', 'off']).default('default'),
  /** JSON Schema of the answer. */
  schema: z.record(z.string(), z.unknown()).optional(),
  tools: z.array(ToolChoice).max(20).default([]),
  /** How often it may be asked again after calls of tools. */
  max_steps: z.int().min(1).max(30).default(8),
});

/** Calls one tool. Gives `text` and `result`. */
const ToolNode = z.object({
  ...head,
  kind: z.literal('tool'),
  tool: ToolChoice,
  /** Each argument as text; where it is just one place, the result itself. */
  arguments: z.record(z.string().min(1).max(100), Template(20_000)).default({}),
});

/** Reads documents. Gives `text`, `documents` (name, text, pages) and `count`. */
const ParseNode = z.object({
  ...head,
  kind: z.literal('parse_document'),
  files: Reference.default('input.files'),
});

/** Masks personal values. Gives `text` and `found`. */
const MaskNode = z.object({
  ...head,
  kind: z.literal('mask_pii'),
  text: Template(100_000),
  /** Left out: all types. */
  types: z.array(z.string().min(1).max(40)).max(50).optional(),
});

export const comparisons = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'matches',
  'greater',
  'less',
  'empty',
  'not_empty',
] as const;
const Test = z.object({
  left: Template(10_000),
  op: z.enum(comparisons),
  right: Template(10_000).default(''),
});
export type Test = z.infer<typeof Test>;

/** Name of a way out of a condition. */
const Branch = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/);

/** Goes on at the first case that holds, else at `else`. Gives `branch`. */
const ConditionNode = z.object({
  ...head,
  kind: z.literal('condition'),
  cases: z
    .array(
      z.object({ branch: Branch, match: z.enum(['all', 'any']).default('all'), tests: z.array(Test).min(1).max(10) }),
    )
    .min(1)
    .max(10),
});

/**
 * Runs the nodes that stand in it once for each item of a list, several at the same time. Inside, `item.value` and
 * `item.index`. Gives `results` (a list, in the order of the items) and `count`.
 */
const ParallelNode = z.object({
  ...head,
  kind: z.literal('parallel'),
  items: z.union([Reference, z.literal('')]),
  /** What each time gives. */
  result: Template(20_000),
  at_once: z.int().min(1).max(8).default(4),
  most: z.int().min(1).max(100).default(20),
});

/**
 * Runs the nodes that stand in it again and again, until `until` holds after a time, or `most` times. Inside, `loop.index` and
 * `loop.<variable>`. Gives the variables and `count`.
 */
const LoopNode = z.object({
  ...head,
  kind: z.literal('loop'),
  most: z.int().min(1).max(50).default(5),
  variables: z
    .array(
      z.object({ name: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/), first: Template(20_000), next: Template(20_000) }),
    )
    .max(10)
    .default([]),
  until: z
    .object({ match: z.enum(['all', 'any']).default('all'), tests: z.array(Test).max(10) })
    .default({ match: 'all', tests: [] }),
});

/** Runs another agent of the tenant as it is deployed. Gives `text` and `passages`. */
const AgentNode = z.object({
  ...head,
  kind: z.literal('agent'),
  /** Its agent_slug. Empty: not chosen yet. */
  agent: z.string().max(100),
  message: Template(100_000).default('{{input.text}}'),
});

/** Asks the person and waits for the next message (`input-required`). Gives `text`, `files` and `data` of it. */
const AskNode = z.object({
  ...head,
  kind: z.literal('ask'),
  question: Template(10_000),
});

/** What the caller gets. Where several run, their texts follow each other in the order in which they ended. */
const AnswerNode = z.object({
  ...head,
  kind: z.literal('answer'),
  text: Template(100_000),
  /** Whether the passages that the text cites go with it. */
  citations: z.boolean().default(true),
});

export const AgentNodeForm = z.discriminatedUnion('kind', [
  InputNode,
  RetrieveNode,
  ModelNode,
  ToolNode,
  ParseNode,
  MaskNode,
  ConditionNode,
  ParallelNode,
  LoopNode,
  AgentNode,
  AskNode,
  AnswerNode,
]);
export type AgentNodeForm = z.infer<typeof AgentNodeForm>;
export type NodeKind = AgentNodeForm['kind'];
export type NodeOf<K extends NodeKind> = Extract<AgentNodeForm, { kind: K }>;

export const AgentEdge = z.object({
  from: NodeId,
  to: NodeId,
  /** Of a condition: which way out. */
  branch: Branch.optional(),
});
export type AgentEdge = z.infer<typeof AgentEdge>;

export const mostNodes = 200;
export const mostEdges = 400;

/** A whole agent, as it is kept, imported and exported. */
export const AgentDefinition = z.object({
  schema: z.literal(1),
  nodes: z.array(AgentNodeForm).min(1).max(mostNodes),
  edges: z.array(AgentEdge).max(mostEdges),
  limits: z
    .object({
      /** Of a whole run, without the time that it waits for a person. */
      seconds: z.int().min(1).max(3_600).default(600),
      /** Prompt and answer tokens of all its models together. */
      tokens: z.int().min(1).max(10_000_000).default(200_000),
      /** What becomes of personal values before its models are told of them. Left out: as the tenant and the key have it. */
      guard: GuardMode.optional(),
    })
    .default({ seconds: 600, tokens: 200_000 }),
});
export type AgentDefinition = z.infer<typeof AgentDefinition>;

/** Types of results. `any` goes everywhere; everything but files goes into a text. */
export const resultTypes = ['text', 'number', 'boolean', 'json', 'list', 'files', 'passages', 'any'] as const;
export type ResultType = (typeof resultTypes)[number];

/** What nodes of each kind give, by name. A loop gives its variables too (`text`). Deeper parts of `json`, `list` and `any` are `any`. */
export const resultsOf: Readonly<Record<NodeKind, Readonly<Record<string, ResultType>>>> = {
  input: { text: 'text', files: 'files', data: 'json', history: 'list' },
  retrieve: { passages: 'passages', text: 'text', count: 'number' },
  model: { text: 'text', json: 'json', reasoning: 'text', calls: 'list' },
  tool: { text: 'text', result: 'any' },
  parse_document: { text: 'text', documents: 'list', count: 'number' },
  mask_pii: { text: 'text', found: 'number' },
  condition: { branch: 'text' },
  parallel: { results: 'list', count: 'number' },
  loop: { count: 'number' },
  agent: { text: 'text', passages: 'passages' },
  ask: { text: 'text', files: 'files', data: 'json' },
  answer: { text: 'text' },
};

/** What is wrong with a definition, and where. `code` is stable, for the console's own words. */
export const DefinitionProblem = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.enum([
    'form',
    'no_input',
    'many_inputs',
    'no_answer',
    'id_taken',
    'unknown_node',
    'edge_twice',
    'edge_into_input',
    'edge_from_answer',
    'edge_across',
    'unknown_branch',
    'branch_missing',
    'cycle',
    'unreachable',
    'no_way_out',
    'bad_parent',
    'too_deep',
    'empty_container',
    'unknown_result',
    'not_before',
    'wrong_type',
    'bad_template',
    'unknown_model',
    'unknown_collection',
    'unknown_agent',
    'agent_calls_itself',
    'unknown_server',
    'unknown_tool',
    'missing_argument',
    'ask_inside',
    'bad_pattern',
    'bad_schema',
    'too_much_work',
  ]),
  /** In English. */
  message: z.string(),
  /** Of the node; null for the whole. */
  node: z.string().nullable(),
  /** Field of the node, such as `prompt` or `cases.0.tests.1.left`; of an edge `edges.3`. */
  field: z.string().nullable(),
});
export type DefinitionProblem = z.infer<typeof DefinitionProblem>;
