import { z } from 'zod';
import { AgentDefinition, DefinitionProblem } from '../agents/definition.ts';
import { Citation, RunEvent, RunFailure, RunFile, RunState, RunStep, RunUsage } from '../agents/run.ts';

// Agents in the console: built, reviewed, deployed and tried.

/** Source: interface section 3; `archived` is an agent that is put away. */
export const agentStates = ['draft', 'pending_review', 'deployed', 'archived'] as const;
export const AgentState = z.enum(agentStates);
export type AgentState = z.infer<typeof AgentState>;

/** Names by id, of what is shown beside them and the viewer may see; an id without one is of nothing that is there for them. */
export const NamesOfIds = z.object({
  collections: z.record(z.string(), z.string()),
  servers: z.record(z.string(), z.string()),
  /** By agent_slug. */
  agents: z.record(z.string(), z.string()),
});
export type NamesOfIds = z.infer<typeof NamesOfIds>;

/** A version: immutable. */
export const AgentVersion = z.object({
  id: z.string(),
  /** From 1, of its agent. */
  number: z.int(),
  /** SHA-256 of the definition, in hex. */
  hash: z.string(),
  note: z.string(),
  by: z.string(),
  created_at: z.iso.datetime(),
  /** Whether an administrator approved just this; only such versions are deployed. */
  approved: z.boolean(),
});
export type AgentVersion = z.infer<typeof AgentVersion>;
export const AgentVersions = z.object({ items: z.array(AgentVersion) });
export const AgentVersionDetails = AgentVersion.extend({
  definition: AgentDefinition,
  /** The service always gives them. */
  names: NamesOfIds.optional(),
});
export type AgentVersionDetails = z.infer<typeof AgentVersionDetails>;

export const AgentReview = z.object({
  id: z.string(),
  agent_id: z.string(),
  agent_name: z.string(),
  version_id: z.string(),
  version_number: z.int(),
  hash: z.string(),
  state: z.enum(['pending', 'approved', 'rejected', 'withdrawn']),
  /** Of the one who submitted. */
  note: z.string(),
  /** Of the one who rejected. */
  reason: z.string().nullable(),
  submitted_by: z.string(),
  submitted_at: z.iso.datetime(),
  decided_by: z.string().nullable(),
  decided_at: z.iso.datetime().nullable(),
  /**
   * What it is compared with: the version that callers got when it was decided, while it waits the one they get now. Null where none was
   * deployed.
   */
  deployed_version_id: z.string().nullable(),
  deployed_version_number: z.int().nullable(),
  /** Whether the one who asks may approve it, and if not, why. */
  may_decide: z.boolean(),
  own: z.boolean(),
});
export type AgentReview = z.infer<typeof AgentReview>;
export const AgentReviewQuery = z.object({
  state: z.enum(['pending', 'approved', 'rejected', 'withdrawn']).optional(),
});
export const AgentReviews = z.object({ items: z.array(AgentReview), pending: z.int() });

export const AgentHead = z.object({
  id: z.string(),
  /** agent_slug: its ID for callers. Never changes. */
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  state: AgentState,
  /** Whether there is a deployed version also while another one is reviewed. */
  deployed_version: z.int().nullable(),
  deployed_version_id: z.string().nullable(),
  /** The draft differs from the newest version. */
  has_changes: z.boolean(),
  by: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type AgentHead = z.infer<typeof AgentHead>;
/** `text`: in name, slug or description. */
export const AgentQuery = z.object({
  text: z.string().trim().max(200).optional(),
  state: AgentState.optional(),
  from: z.coerce.number().int().min(0).default(0),
  size: z.coerce.number().int().min(1).max(100).default(50),
});
export const AgentPage = z.object({ items: z.array(AgentHead), total: z.int() });

export const AgentDetails = AgentHead.extend({
  /** Grows with every save of the draft. */
  revision: z.int(),
  draft: AgentDefinition,
  problems: z.array(DefinitionProblem),
  /** The review that is waiting, or the last that was decided. */
  review: AgentReview.nullable(),
  /** Address of A2A, such as http://host:8080/api/v1/external/agents/slug/a2a. */
  a2a_url: z.string(),
  card_url: z.string(),
});
export type AgentDetails = z.infer<typeof AgentDetails>;

export const agentTemplates = ['plain_assistant', 'knowledge_answer', 'document_processing', 'multi_step'] as const;
export const AgentTemplate = z.enum(agentTemplates);
export type AgentTemplate = z.infer<typeof AgentTemplate>;

const Name = z.string().trim().min(1).max(100);
const Description = z.string().trim().max(1_000);
/** POST /agents. With `definition` (an import) or a template; templates take the collections and model named, else the first there are. */
export const NewAgent = z.object({
  name: Name,
  description: Description.default(''),
  template: AgentTemplate.optional(),
  definition: z.unknown().optional(),
  /** Takes in a definition without the fields of it that are not known here; else such a one is refused. */
  leave_out: z.boolean().default(false),
  model: z.string().max(200).optional(),
  collections: z.array(z.string()).max(20).optional(),
});
export type NewAgent = z.infer<typeof NewAgent>;

/** GET /agents/{id}/export and, as `definition`, POST /agents: an agent in a file. */
export const AgentFile = z.object({
  ai_studio_agent: z.literal(1),
  name: z.string(),
  description: z.string(),
  definition: z.unknown(),
});
export type AgentFile = z.infer<typeof AgentFile>;
/** GET /agents/{id}/export?version= : the draft where no version is named. */
export const AgentExportQuery = z.object({ version: z.string().max(100).optional() });

/**
 * PATCH /agents/{id}. The draft is saved as it is, with its problems, as long as its form is right and all of its fields are known;
 * `revision` is the one it was read at.
 */
export const AgentChange = z
  .object({ name: Name, description: Description, draft: z.unknown(), revision: z.int() })
  .partial()
  .strict();
export type AgentChange = z.infer<typeof AgentChange>;

/** POST /agents/{id}/check: problems of a definition that is not saved. */
export const CheckDefinition = z.object({ definition: z.unknown() });
export const DefinitionChecked = z.object({ problems: z.array(DefinitionProblem) });

/** POST /agents/{id}/submit: makes a version of the draft, if it is not the newest already, and asks for its deployment. */
export const SubmitAgent = z.object({ note: z.string().trim().max(1_000).default(''), revision: z.int() });
/** POST /agents/{id}/approve and /reject: bound to what was looked at. */
export const ApproveAgent = z.object({ review_id: z.string(), hash: z.string() });
export const RejectAgent = z.object({
  review_id: z.string(),
  hash: z.string(),
  reason: z.string().trim().min(1).max(2_000),
});
/** POST /agents/{id}/deploy: an approved version, also an earlier one (rollback). */
export const DeployAgent = z.object({ version_id: z.string() });
/** POST /agents/{id}/restore: the draft becomes that version's. */
export const RestoreDraft = z.object({ version_id: z.string(), revision: z.int() });

/** GET /agents/{id}/difference?from=&to= : ids of versions, or `draft`. */
export const DifferenceQuery = z.object({ from: z.string().max(100), to: z.string().max(100) });
export const DefinitionDifference = z.object({
  /** `path` is the field, such as `prompt`; null for a node or edge as a whole. Values are JSON. */
  changes: z.array(
    z.object({
      what: z.enum(['node', 'edge', 'limits']),
      change: z.enum(['added', 'removed', 'changed']),
      /** Id of the node, or `from → to`. */
      name: z.string(),
      kind: z.string().nullable(),
      path: z.string().nullable(),
      before: z.unknown(),
      after: z.unknown(),
    }),
  ),
  /** The service always gives them. */
  names: NamesOfIds.optional(),
});
export type DefinitionDifference = z.infer<typeof DefinitionDifference>;

/** GET /agents/{id}/history: what was done with it, the newest first. */
export const AgentHistory = z.object({
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
      by: z.string(),
      reason: z.string().nullable(),
      at: z.iso.datetime(),
    }),
  ),
});
export type AgentHistory = z.infer<typeof AgentHistory>;

/** What the builder offers: models, collections, agents and tool servers that the person may use. */
export const AgentOptions = z.object({
  models: z.array(z.object({ id: z.string(), name: z.string(), tools: z.boolean() })),
  rerank_models: z.array(z.string()),
  collections: z.array(z.object({ id: z.string(), name: z.string() })),
  agents: z.array(z.object({ id: z.string(), slug: z.string(), name: z.string() })),
  servers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      kind: z.enum(['mcp', 'http']),
      tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: z.unknown() })),
    }),
  ),
});
export type AgentOptions = z.infer<typeof AgentOptions>;

/** Sessions and messages. `chat_session_id` is a number. */
export const AgentSession = z.object({
  id: z.int(),
  type: z.enum(['api', 'chat', 'test']),
  title: z.string(),
  /** Of the key, or the person. */
  by: z.string(),
  runs: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type AgentSession = z.infer<typeof AgentSession>;
export const AgentSessionQuery = z.object({
  type: z.enum(['api', 'chat', 'test']).optional(),
  before: z.coerce.number().int().optional(),
  size: z.coerce.number().int().min(1).max(100).default(50),
});
export const AgentSessions = z.object({ items: z.array(AgentSession), next: z.int().nullable() });

/** A run as people see it: a question and its answer. */
export const AgentRun = z.object({
  id: z.string(),
  session_id: z.int(),
  state: RunState,
  text: z.string(),
  files: z.array(RunFile),
  answer: z.string(),
  /** With input-required. */
  question: z.string().nullable(),
  /** What it asked before, what the person replied, and how much of the answer stood then. Of sessions alone; else empty. */
  exchanges: z.array(z.object({ question: z.string(), text: z.string(), at: z.int() })).default([]),
  citations: z.array(Citation),
  failure: RunFailure.nullable(),
  usage: RunUsage,
  version_number: z.int().nullable(),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
});
export type AgentRun = z.infer<typeof AgentRun>;
export const AgentRuns = z.object({ items: z.array(AgentRun), session: AgentSession });
export const AgentRunTrace = AgentRun.extend({
  steps: z.array(RunStep),
  definition: AgentDefinition,
  /** The service always gives them. */
  names: NamesOfIds.optional(),
});
export type AgentRunTrace = z.infer<typeof AgentRunTrace>;

/**
 * POST /agents/{id}/runs (building: what = draft, a version id, or deployed) and POST /deployed-agents/{slug}/runs (everybody:
 * the deployed version). The answer is an event stream of {@link RunStreamEvent}; the run goes on when nobody reads.
 */
export const NewRun = z.object({
  text: z.string().max(100_000).default(''),
  /** Files that were uploaded before: POST …/files (application/octet-stream, ?name=). */
  files: z.array(z.string()).max(20).default([]),
  data: z.unknown().optional(),
  session_id: z.int().optional().describe('Left out: a new session'),
  what: z.string().max(100).default('deployed').describe('draft, deployed, or the id of a version'),
  /** A run that asked back: this answers it. */
  run_id: z.string().optional(),
});
export type NewRun = z.infer<typeof NewRun>;
export const RunStreamEvent = z.union([z.object({ type: z.literal('run'), run: AgentRun }), RunEvent]);
export type RunStreamEvent = z.infer<typeof RunStreamEvent>;
/** GET …/runs/{run}/events?after= follows a run. */
export const FollowQuery = z.object({ after: z.coerce.number().int().min(0).default(0) });

/** Query of POST …/files; the body is the file. */
export const AgentFileQuery = z.object({ name: z.string().min(1).max(255), size: z.coerce.number().int().min(0) });

/** GET /deployed-agents: for every role. */
export const DeployedAgent = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  greeting: z.string(),
  examples: z.array(z.string()),
  files: z.boolean(),
});
export type DeployedAgent = z.infer<typeof DeployedAgent>;
export const DeployedAgents = z.object({ items: z.array(DeployedAgent) });

/** GET /agent-chats: the person's own sessions with deployed agents, last touched first. */
export const AgentChat = AgentSession.extend({
  slug: z.string(),
  agent_name: z.string(),
  /** Whether the agent takes messages now. */
  deployed: z.boolean(),
});
export type AgentChat = z.infer<typeof AgentChat>;
export const AgentChatQuery = z.object({
  before: z.string().max(100).optional().describe('next of the page before'),
  size: z.coerce.number().int().min(1).max(100).default(50),
});
export const AgentChats = z.object({ items: z.array(AgentChat), next: z.string().nullable() });

/**
 * GET …/runs/{run}/sources/{number}: a passage that an answer cites, and the page that it stands on. `…/text` gives that page as
 * text, `…/picture?width=` as a picture where `pictures` says so.
 */
export const AgentSource = z.object({
  citation: Citation,
  /** Null where the document has gone, or was never read page by page. */
  page: z.int().nullable(),
  pictures: z.boolean(),
});
export type AgentSource = z.infer<typeof AgentSource>;

/** GET /agents/{id}/usage?days= : by day. */
export const AgentUsageQuery = z.object({ days: z.coerce.number().int().min(1).max(365).default(30) });
export const AgentUsage = z.object({
  days: z.array(
    z.object({ day: z.iso.date(), runs: z.int(), failed: z.int(), tokens: z.int(), p50_ms: z.number().nullable() }),
  ),
});

/** Why a tool server could not be asked: what the console has words for. `said` are words of its own. */
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
export type ServiceTextProblem = (typeof serviceTextProblems)[number];

/** Tool servers of a tenant: what agents may call. Secrets go in and never out. */
export const ToolServer = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['mcp', 'http']),
  /** Of the MCP server, or the base of the HTTP service. */
  url: z.string(),
  /** Names of the headers that are sent with every call. */
  headers: z.array(z.string()),
  state: z.enum(['ready', 'failed']),
  /** Why it could not be asked when it was last looked at. `message` is in English. */
  failure: z
    .object({
      problem: z.enum(toolServerProblems),
      message: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number()])),
    })
    .nullable(),
  tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: z.unknown() })),
  /** Where the description of an HTTP service is fetched; null where it was given. */
  description_url: z.string().nullable(),
  /** Operations of the description that cannot be called, such as `POST /upload`. */
  left_out: z.array(z.string()),
  /** Agents whose draft or deployed version uses it. */
  used_by: z.array(z.object({ id: z.string(), name: z.string() })),
  updated_at: z.iso.datetime(),
});
export type ToolServer = z.infer<typeof ToolServer>;
export const ToolServers = z.object({ items: z.array(ToolServer) });
/** OpenAPI 3 as JSON or YAML. */
const ServiceText = z.string().max(2_000_000);
/** Address of such a document. */
const ServiceUrl = z.string().trim().min(1).max(2_000);
export const NewToolServer = z.object({
  name: Name,
  kind: z.enum(['mcp', 'http']),
  /** Of the MCP server, or the base of the HTTP service; may be empty where its description names one. */
  url: z.string().trim().max(2_000).default(''),
  /** For http: the document, or where it is fetched. */
  description: ServiceText.optional(),
  description_url: ServiceUrl.optional(),
  headers: z.record(z.string().min(1).max(100), z.string().max(8_000)).default({}),
});
export type NewToolServer = z.infer<typeof NewToolServer>;
/** What is left out stays. `headers` replaces all of them, and has to be given anew with an address of another server. */
export const ToolServerChange = z
  .object({
    name: Name,
    url: z.string().trim().min(1).max(2_000),
    description: ServiceText,
    description_url: ServiceUrl,
    headers: z.record(z.string().min(1).max(100), z.string().max(8_000)),
  })
  .partial()
  .strict();
export type ToolServerChange = z.infer<typeof ToolServerChange>;
const changes = ['added', 'removed', 'changed'] as const;
/** One operation of a description that is fetched again. */
export const DescriptionChange = z.object({
  change: z.enum(changes),
  /** Of the tool, as agents name it. */
  name: z.string(),
  /** Such as `GET /items/{id}`. */
  operation: z.string(),
  /** The operation before, where it is another one. */
  was: z.string().nullable(),
  /** Whether its words for models are others. */
  description: z.boolean(),
  /** Whether it is sent in another way. */
  request: z.boolean(),
  arguments: z.array(z.object({ name: z.string(), change: z.enum(changes) })),
});
export type DescriptionChange = z.infer<typeof DescriptionChange>;
/** POST /agent-servers/{id}/description: what fetching the description again would change. `hash` names what it says now. */
export const DescriptionPreview = z.object({
  changes: z.array(DescriptionChange),
  left_out: z.array(z.string()),
  hash: z.string(),
});
export type DescriptionPreview = z.infer<typeof DescriptionPreview>;
/** POST /agent-servers/{id}/description/take: takes it in, where it is still what was looked at. */
export const TakeDescription = z.object({ hash: z.string().max(100) });

/** POST /agent-servers/{id}/try: calls one of its tools. */
export const TryTool = z.object({ tool: z.string().min(1).max(128), arguments: z.record(z.string(), z.unknown()) });
export const TriedTool = z.object({
  /** What a model would be told. */
  text: z.string(),
  failed: z.boolean(),
  ms: z.number(),
});
export type TriedTool = z.infer<typeof TriedTool>;
