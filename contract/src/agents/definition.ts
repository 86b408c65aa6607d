import { z } from 'zod';
import { described } from '../described.ts';
import { GuardMode } from '../utilities/guard.ts';
import { Alpha, QueryExpansion, Rerank, SearchMode } from '../retrieval/search-settings.ts';

// What an agent is: a graph of nodes. Edges say what comes after what; texts of a node name the results of nodes before it,
// such as `{{search.text}}`. A node runs once everything before it has run or cannot run any more; branches without an edge
// between them run at the same time.
//
// A draft may leave open what must be chosen (a model, collections, a list, an agent, a tool server): then it is empty, the check
// says so, and no such agent is submitted.

export const NodeId = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Use a small letter first, then small letters, digits and _; at most 40')
  .describe(
    'Id of a node, by which texts of other nodes name its results; loop and item are reserved inside of containers',
  );

/** Text with places for results: `{{node.result}}`, `{{node.result.field}}`. What a node that did not run gives is empty. */
const Template = (longest: number) => z.string().max(longest);

/** Letters of the names of parts of a result: of Latin, Korean, Chinese and Japanese, as keys of data have them. For a class of a pattern. */
export const resultNameLetters = String.raw`A-Za-z0-9_\u3040-\u30FF\u3131-\u318E\u4E00-\u9FFF\uAC00-\uD7A3-`;

/** The name of a result, and of a part of it: `input.text`, `write.json.금액`. */
export const referencePattern = new RegExp(String.raw`^[a-z][a-z0-9_]{0,39}(\.[${resultNameLetters}]{1,100}){1,10}$`);

export const Reference = z
  .string()
  .regex(referencePattern, 'Name a result of a node before this one, such as input.text')
  .describe('Name of a result, such as input.files');

const Collections = z
  .array(z.string().regex(/^[0-9a-f]{32}$/))
  .max(20)
  .describe(
    'Ids of collections of the tenant; empty while none is chosen, which a draft may be and a deployed agent not',
  );

const head = {
  id: NodeId,
  name: z.string().trim().max(100).default('').describe('Name for people; the id when empty'),
  parent: NodeId.optional().describe('The parallel or loop node that contains it'),
  position: z
    .object({
      x: z.number().describe('Pixels from the left of the drawing, or of the container'),
      y: z.number().describe('Pixels from the top of the drawing, or of the container'),
    })
    .default({ x: 0, y: 0 })
    .describe('Place in the drawing'),
};

const InputNode = described(
  'Where a run begins; every agent has one. Results: text, files and data of the message, history of the session',
  {
    ...head,
    kind: z.literal('input'),
    files: z.boolean().default(false).describe('Whether messages may carry files'),
    greeting: z.string().max(2_000).default('').describe('Text that people see before they write'),
    examples: z.array(z.string().trim().min(1).max(300)).max(6).default([]).describe('Questions to begin with'),
  },
);

const RetrieveNode = described('Finds passages. Results: passages, text (numbered, for a prompt), count', {
  ...head,
  kind: z.literal('retrieve'),
  query: Template(10_000).default('{{input.text}}').describe('Text to search for'),
  collections: Collections,
  search_type: SearchMode.optional().describe('How passages are found; the mode of the collections when left out'),
  alpha: Alpha.optional(),
  top_k: z.int().min(1).max(50).default(5).describe('Number of passages, 1 to 50'),
  rerank: Rerank.optional(),
  score_threshold: z.number().optional().describe('Leaves out passages with a lower score'),
  filters: z.record(z.string(), z.unknown()).optional().describe('Conditions on metadata of the documents'),
  query_expansion: QueryExpansion.optional().describe('What a chat model says beside the query; nothing when left out'),
});

export const ToolChoice = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('search_collection'),
      collections: Collections,
    }),
    z.object({ kind: z.literal('parse_document') }),
    z.object({ kind: z.literal('write_document') }),
    z.object({ kind: z.literal('calculator') }),
    z.object({ kind: z.literal('current_time') }),
    z.object({
      kind: z.literal('server'),
      server: z
        .string()
        .regex(/^([0-9a-f]{32})?$/)
        .describe('Id of a tool server (MCP or HTTP) of the tenant; empty while none is chosen'),
      tools: z
        .array(z.string().min(1).max(128))
        .max(64)
        .default([])
        .describe('Names of its tools; all of them when empty, for models only'),
    }),
  ])
  .describe('A tool that a model may call, or that a tool node calls');
export type ToolChoice = z.infer<typeof ToolChoice>;

const ModelNode = described('Asks a model. Results: text, json (with schema), reasoning, calls, files (of its tools)', {
  ...head,
  kind: z.literal('model'),
  model: z.string().max(200).describe('Id of a chat model; empty while none is chosen'),
  system: Template(50_000).default('').describe('System prompt'),
  prompt: Template(100_000).default('{{input.text}}').describe('User prompt'),
  history_turns: z
    .int()
    .min(0)
    .max(50)
    .default(10)
    .describe('Number of earlier turns of the session that the model reads'),
  passages: z
    .array(Reference)
    .max(5)
    .default([])
    .describe('Results of retrieve nodes that the answer may cite as [1], [2]; they precede the prompt'),
  files: z
    .array(Reference)
    .max(5)
    .optional()
    .describe(
      'Results that hold files: pictures go to a model that takes them as pictures, all else as the text that is read in it',
    ),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe("Sampling temperature, 0 to 2; the model's own when left out"),
  top_p: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("Share of probability that tokens are drawn from, 0 to 1; the model's own when left out"),
  max_tokens: z
    .int()
    .min(1)
    .max(32_768)
    .optional()
    .describe('Maximum number of tokens to generate, reasoning and answer together'),
  reasoning: z
    .enum(['default', 'on', 'off'])
    .default('default')
    .describe('Whether the model reasons; default leaves it to the model'),
  schema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of the answer'),
  tools: z.array(ToolChoice).max(20).default([]).describe('Tools that the model may call'),
  max_steps: z.int().min(1).max(30).default(8).describe('Maximum number of rounds of tool calls'),
});

const ToolNode = described(
  'Calls one tool. Results: text, result, files (pictures, sounds and documents that it gave)',
  {
    ...head,
    kind: z.literal('tool'),
    tool: ToolChoice,
    arguments: z
      .record(z.string().min(1).max(100), Template(20_000))
      .default({})
      .describe('Each argument as text; one that is just one reference gets the result itself'),
  },
);

const ParseNode = described('Reads documents. Results: text, documents (name, text, pages), count', {
  ...head,
  kind: z.literal('parse_document'),
  files: Reference.default('input.files').describe('Result that holds the files'),
});

const MaskNode = described('Masks personal values. Results: text, found', {
  ...head,
  kind: z.literal('mask_pii'),
  text: Template(100_000).describe('Text to mask'),
  types: z
    .array(z.string().min(1).max(40))
    .max(50)
    .optional()
    .describe('Types of personal values; all types when left out'),
});

/** Comparisons of a condition. */
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
const Test = described('A comparison of two texts', {
  left: Template(10_000).describe('Text that is tested, at most 10,000 characters'),
  op: z
    .enum(comparisons)
    .describe('How left is tested; matches takes right as a regular expression, empty and not_empty ignore it'),
  right: Template(10_000).default('').describe('Text that left is compared with, at most 10,000 characters'),
});
/** A comparison of two texts. */
export type Test = z.infer<typeof Test>;

const Branch = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/)
  .describe('Name of a way out of a condition');

const ConditionNode = described('Goes on at the first case that holds, otherwise at else. Result: branch', {
  ...head,
  kind: z.literal('condition'),
  cases: z
    .array(
      z.object({
        branch: Branch,
        match: z.enum(['all', 'any']).default('all').describe('Whether all comparisons must hold, or any of them'),
        tests: z.array(Test).min(1).max(10).describe('Comparisons of the case, 1 to 10'),
      }),
    )
    .min(1)
    .max(10)
    .describe('Cases in the order in which they are tried'),
});

/**
 * Runs the nodes that stand in it once for each item of a list, several at the same time. Inside, `item.value` and
 * `item.index`. Gives `results` (a list, in the order of the items) and `count`.
 */
const ParallelNode = described(
  'Runs the nodes inside of it once for each item of a list. Results: results (in the order of the items), count',
  {
    ...head,
    kind: z.literal('parallel'),
    items: z.union([Reference, z.literal('')]).describe('Result that holds the list; empty while none is chosen'),
    result: Template(20_000).describe('Text that each round yields'),
    at_once: z.int().min(1).max(8).default(4).describe('Number of rounds that run at the same time'),
    most: z.int().min(1).max(100).default(20).describe('Maximum number of items that are taken'),
  },
);

/**
 * Runs the nodes that stand in it again and again, until `until` holds after a time, or `most` times. Inside, `loop.index` and
 * `loop.<variable>`. Gives the variables and `count`.
 */
const LoopNode = described('Runs the nodes inside of it until a condition holds. Results: its variables, count', {
  ...head,
  kind: z.literal('loop'),
  most: z.int().min(1).max(50).default(5).describe('Maximum number of rounds'),
  variables: z
    .array(
      z.object({
        name: z
          .string()
          .regex(/^[a-z][a-z0-9_]{0,39}$/)
          .describe('Name of the variable: a small letter, then small letters, digits and _; at most 40'),
        first: Template(20_000).describe('Value in the first round; just one reference gives the result itself'),
        next: Template(20_000).describe('Value after each round; just one reference gives the result itself'),
      }),
    )
    .max(10)
    .default([])
    .describe('Variables with their first value and the value after each round'),
  until: z
    .object({
      match: z.enum(['all', 'any']).default('all').describe('Whether all comparisons must hold, or any of them'),
      tests: z.array(Test).max(10).describe('Comparisons, at most 10; when empty, only the number of rounds ends it'),
    })
    .default({ match: 'all', tests: [] })
    .describe('Ends the loop when it holds after a round'),
});

const AgentNode = described('Runs another agent of the tenant, as deployed. Results: text, passages, data, files', {
  ...head,
  kind: z.literal('agent'),
  agent: z.string().max(100).describe('agent_slug of another agent of the tenant; empty while none is chosen'),
  message: Template(100_000).default('{{input.text}}').describe('Text of the message to it'),
});

const AskNode = described(
  'Asks the person and waits for the next message (input-required). Results: text, files and data of that message',
  {
    ...head,
    kind: z.literal('ask'),
    question: Template(10_000).describe('Text of the question'),
  },
);

/** Most parts of one answer node. */
const MAX_ANSWER_PARTS = 20;
const ChosenReference = z.union([Reference, z.literal('')]);

export const AnswerPart = z
  .discriminatedUnion('kind', [
    described('Data, as JSON', {
      kind: z.literal('data'),
      name: z.string().trim().max(100).default('').describe('What it is called; the result when empty'),
      value: ChosenReference.describe('Result that is sent, such as model.json; empty while none is chosen'),
    }),
    described('Files that a node gave, or that the message brought', {
      kind: z.literal('files'),
      files: ChosenReference.describe('Result that holds them, such as tool.files; empty while none is chosen'),
    }),
    described('A file that is written from a text or a list', {
      kind: z.literal('document'),
      name: Template(300).describe(
        'Name of the file; its end says what it is: .csv and .json are written from lists, .docx, .hwpx and .pdf from Markdown or lists',
      ),
      content: Template(100_000).describe('What it holds; just one reference gives the result itself'),
    }),
  ])
  .describe('What an answer brings beside its text: data, files, or a file that is written');
export type AnswerPart = z.infer<typeof AnswerPart>;

/** The answer to the caller. Where several such nodes run, their texts are joined in the order in which they finished. */
const AnswerNode = described('Sends an answer to the caller. Result: text', {
  ...head,
  kind: z.literal('answer'),
  text: Template(100_000).describe('Text of the answer'),
  citations: z.boolean().default(true).describe('Whether the passages that the text cites are sent with it'),
  parts: z
    .array(AnswerPart)
    .max(MAX_ANSWER_PARTS)
    .optional()
    .describe('What is sent behind the text, in this order, at most 20'),
});

export const AgentNodeForm = z
  .discriminatedUnion('kind', [
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
  ])
  .describe('A node of an agent: one step of a run');
export type AgentNodeForm = z.infer<typeof AgentNodeForm>;
/** Kinds of nodes. */
export type NodeKind = AgentNodeForm['kind'];
/** A node of one kind. */
export type NodeOf<K extends NodeKind> = Extract<AgentNodeForm, { kind: K }>;

export const AgentEdge = described('An edge: the node at its end runs after the node at its begin', {
  from: NodeId,
  to: NodeId,
  branch: Branch.optional().describe('For edges from a condition: the branch that leads here'),
});
export type AgentEdge = z.infer<typeof AgentEdge>;

/** Maximum number of nodes of an agent. */
export const maxNodes = 200;
/** Maximum number of edges of an agent. */
export const maxEdges = 400;

export const AgentDefinition = described('A whole agent, as it is stored, imported and exported', {
  schema: z.literal(1).describe('Version of this format'),
  nodes: z.array(AgentNodeForm).min(1).max(maxNodes).describe('Nodes of the agent, 1 to 200'),
  edges: z.array(AgentEdge).max(maxEdges).describe('Edges between its nodes, at most 400'),
  limits: z
    .object({
      seconds: z
        .int()
        .min(1)
        .max(3_600)
        .default(600)
        .describe('Longest time of a run in seconds, without the time that it waits for a person'),
      tokens: z
        .int()
        .min(1)
        .max(10_000_000)
        .default(200_000)
        .describe('Maximum number of prompt and completion tokens of all its models together'),
      guard: GuardMode.optional().describe(
        'Handling of personal values in requests to its models; that of the tenant and the key when left out',
      ),
    })
    .default({ seconds: 600, tokens: 200_000 })
    .describe('Limits of a whole run'),
});
export type AgentDefinition = z.infer<typeof AgentDefinition>;

/** Types of results. `any` goes everywhere; everything but files goes into a text. */
export const resultTypes = ['text', 'number', 'boolean', 'json', 'list', 'files', 'passages', 'any'] as const;
/** Type of a result of a node. */
export type ResultType = (typeof resultTypes)[number];

/** What nodes of each kind give, by name. A loop gives its variables too (`text`). Deeper parts of `json`, `list` and `any` are `any`. */
export const nodeResultTypes: Readonly<Record<NodeKind, Readonly<Record<string, ResultType>>>> = {
  input: { text: 'text', files: 'files', data: 'json', history: 'list' },
  retrieve: { passages: 'passages', text: 'text', count: 'number' },
  model: { text: 'text', json: 'json', reasoning: 'text', calls: 'list', files: 'files' },
  tool: { text: 'text', result: 'any', files: 'files' },
  parse_document: { text: 'text', documents: 'list', count: 'number' },
  mask_pii: { text: 'text', found: 'number' },
  condition: { branch: 'text' },
  parallel: { results: 'list', count: 'number' },
  loop: { count: 'number' },
  agent: { text: 'text', passages: 'passages', data: 'any', files: 'files' },
  ask: { text: 'text', files: 'files', data: 'json' },
  answer: { text: 'text' },
};

export const DefinitionProblem = described('A problem of a definition, and where it is', {
  severity: z
    .enum(['error', 'warning'])
    .describe('error: the agent cannot be submitted or deployed; warning: it can, but is hardly meant so'),
  code: z
    .enum([
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
    ])
    .describe('Stable code, for which the console has texts'),
  message: z.string().describe('The problem, in English'),
  node: z.string().nullable().describe('Id of the node; null where it concerns the whole'),
  field: z
    .string()
    .nullable()
    .describe('Field of the node, such as prompt or cases.0.tests.1.left; of an edge edges.3'),
});
export type DefinitionProblem = z.infer<typeof DefinitionProblem>;
