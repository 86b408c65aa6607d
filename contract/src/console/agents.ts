import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { AgentDefinition, DefinitionProblem } from '../agents/definition.ts';
import { Citation, RunEvent, RunFailure, RunFile, RunState, RunStep, RunUsage } from '../agents/run.ts';

// Agents in the console: built, reviewed, deployed and tried.

/** Source: interface section 3; `archived` is an agent that is put away. */
export const agentStates = ['draft', 'pending_review', 'deployed', 'archived'] as const;
/** Source: interface section 3. */
export const AgentState = z.enum(agentStates).describe('State of an agent; archived agents are hidden from lists');
export type AgentState = z.infer<typeof AgentState>;

export const NamesById = described(
  'Names by id of the things beside it that the viewer may see; an id without a name is gone or not visible',
  {
    collections: z.record(z.string(), z.string()),
    servers: z.record(z.string(), z.string()),
    agents: z.record(z.string(), z.string()).describe('By agent_slug'),
  },
);
export type NamesById = z.infer<typeof NamesById>;

/** Source: decisions section 4. */
export const AgentVersion = described('A version of an agent; it never changes', {
  id: z.string(),
  number: z.int().describe('From 1, for each agent'),
  hash: z.string().describe('SHA-256 of the definition, in hex'),
  note: z.string().describe('What the person who submitted it wrote'),
  by: z.string().describe('Name of the person who submitted it'),
  created_at: z.iso.datetime(),
  approved: z.boolean().describe('Whether an administrator approved it; only approved versions can be deployed'),
});
export type AgentVersion = z.infer<typeof AgentVersion>;
export const AgentVersions = described('Versions of an agent, the newest first', { items: z.array(AgentVersion) });
export const AgentVersionDetails = AgentVersion.extend({
  definition: AgentDefinition,
  names: NamesById.optional().describe('Always present in replies'),
}).describe('A version with its definition');
export type AgentVersionDetails = z.infer<typeof AgentVersionDetails>;

/** Source: decisions section 4. */
export const AgentReview = described('A request to deploy a version', {
  id: z.string(),
  agent_id: z.string(),
  agent_name: z.string(),
  version_id: z.string(),
  version_number: z.int(),
  hash: z.string().describe('SHA-256 of the definition, in hex; the decision is bound to it'),
  state: z.enum(['pending', 'approved', 'rejected', 'withdrawn']),
  note: z.string().describe('What the person who submitted it wrote'),
  reason: z.string().nullable().describe('What the person who rejected it wrote'),
  submitted_by: z.string(),
  submitted_at: z.iso.datetime(),
  decided_by: z.string().nullable(),
  decided_at: z.iso.datetime().nullable(),
  deployed_version_id: z
    .string()
    .nullable()
    .describe(
      'Version to compare with: the one deployed at the decision, or now while the review waits; null where none was',
    ),
  deployed_version_number: z.int().nullable().describe('Number of that version'),
  may_decide: z.boolean().describe('Whether the viewer may decide'),
  own: z.boolean().describe('Whether the viewer submitted it'),
});
export type AgentReview = z.infer<typeof AgentReview>;
export const AgentReviewQuery = describedStrictly('Query of the list of reviews', {
  state: z.enum(['pending', 'approved', 'rejected', 'withdrawn']).optional(),
});
export const AgentReviews = described('Reviews, the newest first', {
  items: z.array(AgentReview),
  pending: z.int().describe('Number of reviews that wait'),
});

export const AgentSummary = described('An agent in a list', {
  id: z.string(),
  slug: z.string().describe('agent_slug: its id for callers; it never changes'),
  name: z.string(),
  description: z.string(),
  state: AgentState,
  deployed_version: z
    .int()
    .nullable()
    .describe('Number of the deployed version; present also while another version is in review'),
  deployed_version_id: z.string().nullable(),
  has_changes: z.boolean().describe('Whether the draft differs from the newest version'),
  by: z.string().describe('Name of the person who created it; empty when that person is gone'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type AgentSummary = z.infer<typeof AgentSummary>;
export const AgentQuery = describedStrictly('Query of the list of agents', {
  text: z.string().trim().max(200).optional().describe('Found in name, slug or description'),
  state: AgentState.optional(),
  from: z.coerce.number().int().min(0).default(0),
  size: z.coerce.number().int().min(1).max(100).default(50),
});
export const AgentPage = described('A part of the list of agents', { items: z.array(AgentSummary), total: z.int() });

export const AgentDetails = AgentSummary.extend({
  revision: z.int().describe('Grows with every save of the draft'),
  draft: AgentDefinition,
  problems: z.array(DefinitionProblem).describe('Problems of the draft'),
  review: AgentReview.nullable().describe('The review that waits, or the last one that was decided'),
  a2a_url: z.string().describe('Address for A2A calls, such as http://host:8080/api/v1/external/agents/slug/a2a'),
  card_url: z.string().describe('Address of the agent card'),
}).describe('An agent with its draft');
export type AgentDetails = z.infer<typeof AgentDetails>;

/** Templates of new agents. */
export const agentTemplates = ['plain_assistant', 'knowledge_answer', 'document_processing', 'multi_step'] as const;
export const AgentTemplate = z.enum(agentTemplates).describe('An agent to begin with');
export type AgentTemplate = z.infer<typeof AgentTemplate>;

const Name = z.string().trim().min(1).max(100);
const Description = z.string().trim().max(1_000);
export const NewAgent = describedStrictly(
  'Body of POST /agents: an agent from a template, or from a definition (import)',
  {
    name: Name,
    description: Description.default(''),
    template: AgentTemplate.optional(),
    definition: z.unknown().optional().describe('An imported definition'),
    leave_out: z
      .boolean()
      .default(false)
      .describe('Whether unknown fields of the definition are left out; otherwise they are refused'),
    model: z.string().max(200).optional().describe('Model for the template; the first one when left out'),
    collections: z
      .array(z.string())
      .max(20)
      .optional()
      .describe('Collections for the template; the first one when left out'),
  },
);
export type NewAgent = z.infer<typeof NewAgent>;

export const AgentFile = described(
  'An agent as a file: reply of GET /agents/{id}/export and definition of POST /agents',
  {
    ai_studio_agent: z.literal(1).describe('Version of this format'),
    name: z.string(),
    description: z.string(),
    definition: z.unknown(),
  },
);
export type AgentFile = z.infer<typeof AgentFile>;
export const AgentExportQuery = describedStrictly('Query of GET /agents/{id}/export', {
  version: z.string().max(100).optional().describe('Id of a version; the draft when left out'),
});

export const AgentChange = z
  .object({
    name: Name,
    description: Description,
    draft: z.unknown().describe('A definition of the right form with known fields only; it may have problems'),
    revision: z.int().describe('Revision that the change is based on; another one is refused'),
  })
  .partial()
  .strict()
  .describe('Body of PATCH /agents/{id}');
export type AgentChange = z.infer<typeof AgentChange>;

export const CheckDefinition = describedStrictly('Body of POST /agents/{id}/check: a definition that is not saved', {
  definition: z.unknown(),
});
export const DefinitionCheckResult = described('Problems of the definition', { problems: z.array(DefinitionProblem) });

export const SubmitAgent = describedStrictly(
  'Body of POST /agents/{id}/submit: makes a version of the draft unless it is the newest one already, and asks for its deployment',
  {
    note: z.string().trim().max(1_000).default(''),
    revision: z.int().describe('Revision of the draft that the person saw'),
  },
);
export const ApproveAgent = describedStrictly('Body of POST /agents/{id}/approve', {
  review_id: z.string(),
  hash: z.string().describe('Hash of the definition that the person saw'),
});
export const RejectAgent = describedStrictly('Body of POST /agents/{id}/reject', {
  review_id: z.string(),
  hash: z.string().describe('Hash of the definition that the person saw'),
  reason: z.string().trim().min(1).max(2_000),
});
export const DeployAgent = describedStrictly('Body of POST /agents/{id}/deploy', {
  version_id: z.string().describe('An approved version, also an earlier one (rollback)'),
});
export const RestoreDraft = describedStrictly(
  'Body of POST /agents/{id}/restore: the draft becomes that of a version',
  {
    version_id: z.string(),
    revision: z.int().describe('Revision of the draft that the person saw'),
  },
);

export const DifferenceQuery = describedStrictly('Query of GET /agents/{id}/difference: ids of versions, or draft', {
  from: z.string().max(100),
  to: z.string().max(100),
});
export const DefinitionDifference = described('What differs between two definitions', {
  changes: z
    .array(
      z.object({
        what: z.enum(['node', 'edge', 'limits']),
        change: z.enum(['added', 'removed', 'changed']),
        name: z.string().describe('Id of the node, or from → to of an edge'),
        kind: z.string().nullable(),
        path: z.string().nullable().describe('Field, such as prompt; null for a node or edge as a whole'),
        before: z.unknown().describe('JSON of the older value'),
        after: z.unknown().describe('JSON of the newer value'),
      }),
    )
    .describe('Changes, one for each field'),
  names: NamesById.optional().describe('Always present in replies'),
});
export type DefinitionDifference = z.infer<typeof DefinitionDifference>;

export const AgentHistory = described('Reply of GET /agents/{id}/history: steps of its life, the newest first', {
  items: z.array(
    z.object({
      action: z.enum([
        'created',
        'submitted',
        'withdrawn',
        'rejected',
        'approved',
        'deployed',
        'undeployed',
        'archived',
        'unarchived',
      ]),
      version_number: z.int().nullable(),
      by: z.string().describe('Name of the person'),
      reason: z.string().nullable(),
      at: z.iso.datetime(),
    }),
  ),
});
export type AgentHistory = z.infer<typeof AgentHistory>;

export const AgentOptions = described(
  'Models, collections, agents and tool servers that the person may use in the builder',
  {
    models: z.array(
      z.object({ id: z.string(), name: z.string(), tools: z.boolean().describe('Whether the model can call tools') }),
    ),
    rerank_models: z.array(z.string()),
    collections: z.array(z.object({ id: z.string(), name: z.string() })),
    agents: z.array(z.object({ id: z.string(), slug: z.string(), name: z.string() })),
    servers: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        kind: z.enum(['mcp', 'http']),
        tools: z.array(
          z.object({
            name: z.string(),
            description: z.string(),
            parameters: z.unknown().describe('JSON Schema of the arguments'),
          }),
        ),
      }),
    ),
  },
);
export type AgentOptions = z.infer<typeof AgentOptions>;

/** Source: decisions section 4. */
export const AgentSession = described('A chat session with an agent', {
  id: z.int().describe('chat_session_id'),
  type: z.enum(['api', 'chat', 'test']).describe('Where it began: over the API, in the chat or in the builder'),
  title: z.string(),
  by: z.string().describe('Name of the key or the person'),
  runs: z.int().describe('Number of runs'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type AgentSession = z.infer<typeof AgentSession>;
export const AgentSessionQuery = describedStrictly('Query of the list of sessions', {
  type: z.enum(['api', 'chat', 'test']).optional(),
  before: z.coerce.number().int().optional().describe('next of the page before'),
  size: z.coerce.number().int().min(1).max(100).default(50),
});
export const AgentSessions = described('Sessions, the last used first', {
  items: z.array(AgentSession),
  next: z.int().nullable().describe('Where the next page begins; null at the end'),
});

export const AgentRun = described('A run as people see it: a question and its answer', {
  id: z.string(),
  session_id: z.int(),
  state: RunState,
  text: z.string().describe('Text of the message'),
  files: z.array(RunFile),
  answer: z.string(),
  question: z.string().nullable().describe('Question of the agent, with input-required'),
  exchanges: z
    .array(
      z.object({
        question: z.string(),
        text: z.string().describe('Reply of the person'),
        at: z.int().describe('Length of the answer at that time, in UTF-16 units'),
      }),
    )
    .default([])
    .describe('Earlier questions of the agent and the replies; empty outside of sessions'),
  citations: z.array(Citation),
  failure: RunFailure.nullable(),
  usage: RunUsage,
  version_number: z.int().nullable().describe('Number of the version; null for a draft'),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
});
export type AgentRun = z.infer<typeof AgentRun>;
export const AgentRuns = described('Runs of a session', { items: z.array(AgentRun), session: AgentSession });
export const AgentRunTrace = AgentRun.extend({
  steps: z.array(RunStep),
  definition: AgentDefinition.describe('The definition that ran'),
  names: NamesById.optional().describe('Always present in replies'),
}).describe('A run with its steps');
export type AgentRunTrace = z.infer<typeof AgentRunTrace>;

/**
 * POST /agents/{id}/runs (building: what = draft, a version id, or deployed) and POST /deployed-agents/{slug}/runs (everybody:
 * the deployed version). The answer is an event stream of {@link RunStreamEvent}; the run goes on when nobody reads.
 */
export const NewRun = describedStrictly('Body of POST of a run', {
  text: z.string().max(100_000).default(''),
  files: z
    .array(z.string())
    .max(20)
    .default([])
    .describe('Ids of files that were uploaded before: POST …/files (application/octet-stream, ?name=)'),
  data: z.unknown().optional(),
  session_id: z.int().optional().describe('Session to go on with; a new one when left out'),
  what: z.string().max(100).default('deployed').describe('draft, deployed, or the id of a version'),
  run_id: z.string().optional().describe('The run whose question this answers'),
});
export type NewRun = z.infer<typeof NewRun>;
export const RunStreamEvent = z
  .union([z.object({ type: z.literal('run'), run: AgentRun }), RunEvent])
  .describe('An event of the stream of a run; the first one is the run itself');
export type RunStreamEvent = z.infer<typeof RunStreamEvent>;
export const FollowQuery = describedStrictly('Query of GET …/runs/{run}/events, which follows a run', {
  after: z.coerce.number().int().min(0).default(0).describe('Sequence number of the last event that the caller has'),
});

export const AgentFileQuery = describedStrictly('Query of POST …/files; the body is the file', {
  name: z.string().min(1).max(255),
  size: z.coerce.number().int().min(0).describe('Size in bytes'),
});

export const DeployedAgent = described('An agent that people can use: GET /deployed-agents, for every role', {
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  greeting: z.string().describe('Text that people see before they write'),
  examples: z.array(z.string()).describe('Questions to begin with'),
  files: z.boolean().describe('Whether messages may carry files'),
});
export type DeployedAgent = z.infer<typeof DeployedAgent>;
export const DeployedAgents = described('Agents that people can use', { items: z.array(DeployedAgent) });

export const AgentChat = AgentSession.extend({
  slug: z.string(),
  agent_name: z.string(),
  deployed: z.boolean().describe('Whether the agent takes messages now'),
}).describe('A session of the person with a deployed agent: GET /agent-chats');
export type AgentChat = z.infer<typeof AgentChat>;
export const AgentChatQuery = describedStrictly('Query of GET /agent-chats', {
  before: z.string().max(100).optional().describe('next of the page before'),
  size: z.coerce.number().int().min(1).max(100).default(50),
});
export const AgentChats = described('Sessions, the last used first', {
  items: z.array(AgentChat),
  next: z.string().nullable().describe('Where the next page begins; null at the end'),
});

/**
 * GET …/runs/{run}/sources/{number}: a passage that an answer cites, and the page that it stands on. `…/text` gives that page as
 * text, `…/picture?width=` as a picture where `pictures` says so.
 */
export const AgentSource = described('A passage that an answer cites, and its page', {
  citation: Citation,
  page: z.int().nullable().describe('Null where the document is gone, or was never read page by page'),
  pictures: z.boolean().describe('Whether pages are available as pictures'),
});
export type AgentSource = z.infer<typeof AgentSource>;

export const AgentUsageQuery = describedStrictly('Query of GET /agents/{id}/usage', {
  days: z.coerce.number().int().min(1).max(365).default(30),
});
export const AgentUsage = described('Use of an agent by day', {
  days: z.array(
    z.object({
      day: z.iso.date(),
      runs: z.int(),
      failed: z.int(),
      tokens: z.int(),
      p50_ms: z.number().nullable().describe('Median duration of its runs in milliseconds'),
    }),
  ),
});

/** Why a call of a tool server failed: the console has a text for each. `said` carries the server's own message. */
export const toolServerProblems = [
  'unreachable',
  'https_only',
  'redirected',
  'slow',
  'credentials',
  'not_mcp',
  'status',
  'said',
  'unreadable',
  'too_many',
  'broken_off',
  'version',
] as const;
/** A reason why a tool server did not answer. */
export type ToolServerProblem = (typeof toolServerProblems)[number];

/** What is wrong with an OpenAPI document: reason `tool_description`, value `problem`. */
export const serviceTextProblems = [
  'not_json',
  'not_yaml',
  'yaml_too_long',
  'not_openapi',
  'swagger_2',
  'no_version',
  'too_deep',
  'too_many',
  'no_operation',
  'missing',
  'unreachable',
  'https_only',
  'slow',
  'status',
  'too_large',
  'is_page',
] as const;
/** What is wrong with an OpenAPI document. */
export type ServiceTextProblem = (typeof serviceTextProblems)[number];

export const ToolServer = described('A tool server of the tenant; replies never hold its secrets', {
  id: z.string(),
  name: z.string(),
  kind: z.enum(['mcp', 'http']),
  url: z.string().describe('Address of the MCP server, or base address of the HTTP service'),
  headers: z.array(z.string()).describe('Names of the headers that every call carries'),
  state: z.enum(['ready', 'failed']),
  failure: z
    .object({
      problem: z.enum(toolServerProblems),
      message: z.string().describe('In English'),
      values: z.record(z.string(), z.union([z.string(), z.number()])).describe('Values for the text of the problem'),
    })
    .nullable()
    .describe('Why the last check failed'),
  tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: z.unknown() })),
  description_url: z
    .string()
    .nullable()
    .describe('Where the description of an HTTP service is fetched; null where it was uploaded'),
  left_out: z.array(z.string()).describe('Operations of the description that cannot be called, such as POST /upload'),
  used_by: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .describe('Agents whose draft or deployed version uses it'),
  updated_at: z.iso.datetime(),
});
export type ToolServer = z.infer<typeof ToolServer>;
export const ToolServers = described('Tool servers of the tenant', { items: z.array(ToolServer) });
const ServiceText = z.string().max(2_000_000).describe('OpenAPI 3 document as JSON or YAML, for http');
const ServiceUrl = z.string().trim().min(1).max(2_000).describe('Address of an OpenAPI 3 document, for http');
export const NewToolServer = describedStrictly('A new tool server', {
  name: Name,
  kind: z.enum(['mcp', 'http']),
  url: z
    .string()
    .trim()
    .max(2_000)
    .default('')
    .describe(
      'Address of the MCP server, or base address of the HTTP service; may be empty where its description names one',
    ),
  description: ServiceText.optional().describe('For http: the document, or where it is fetched'),
  description_url: ServiceUrl.optional(),
  headers: z
    .record(z.string().min(1).max(100), z.string().max(8_000))
    .default({})
    .describe('Headers that every call carries'),
});
export type NewToolServer = z.infer<typeof NewToolServer>;
export const ToolServerChange = z
  .object({
    name: Name,
    url: z.string().trim().min(1).max(2_000),
    description: ServiceText,
    description_url: ServiceUrl,
    headers: z
      .record(z.string().min(1).max(100), z.string().max(8_000))
      .describe('Replaces all headers; required with an address of another server'),
  })
  .partial()
  .strict()
  .describe('Changes to a tool server; what is left out stays');
export type ToolServerChange = z.infer<typeof ToolServerChange>;
const changes = ['added', 'removed', 'changed'] as const;
export const DescriptionChange = described('A change of one operation in a description that was fetched again', {
  change: z.enum(changes),
  name: z.string().describe('Name of the tool, as agents use it'),
  operation: z.string().describe('Such as GET /items/{id}'),
  was: z.string().nullable().describe('The operation before, where it is another one'),
  description: z.boolean().describe('Whether the description for models differs'),
  request: z.boolean().describe('Whether the request differs'),
  arguments: z.array(z.object({ name: z.string(), change: z.enum(changes) })),
});
export type DescriptionChange = z.infer<typeof DescriptionChange>;
export const DescriptionPreview = described(
  'Reply of POST /agent-servers/{id}/description: what fetching the description again would change',
  {
    changes: z.array(DescriptionChange),
    left_out: z.array(z.string()),
    hash: z.string().describe('Hash of the new description'),
  },
);
export type DescriptionPreview = z.infer<typeof DescriptionPreview>;
export const ApplyDescription = describedStrictly(
  'Body of POST /agent-servers/{id}/description/take: accepts the description with this hash',
  { hash: z.string().max(100) },
);

export const TryTool = describedStrictly('Body of POST /agent-servers/{id}/try: calls one tool', {
  tool: z.string().min(1).max(128),
  arguments: z.record(z.string(), z.unknown()),
});
export const ToolTrialResult = described('Result of a tool', {
  text: z.string().describe('Text that a model would read'),
  failed: z.boolean(),
  ms: z.number().describe('Duration in milliseconds'),
});
export type ToolTrialResult = z.infer<typeof ToolTrialResult>;
