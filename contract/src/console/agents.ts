import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { Language } from './session.ts';
import { AgentDefinition, DefinitionProblem } from '../agents/definition.ts';

// Agents in the console: built, reviewed, deployed and tried.

/** Source: interface section 3; `archived` is an agent that is put away. */
export const agentStates = ['draft', 'pending_review', 'deployed', 'archived'] as const;
/** Source: interface section 3. */
export const AgentState = z.enum(agentStates).describe('State of an agent; archived agents are hidden from lists');
export type AgentState = z.infer<typeof AgentState>;

// Properties that several of the schemas have.
const AgentId = z.string().describe('Id of the agent, 32 lower-case hexadecimal digits');
const AgentSlug = z.string().describe('agent_slug: id of the agent for callers; it never changes');
const AgentName = z.string().describe('Name of the agent');
const AgentText = z.string().describe('What the agent is for; may be empty');
const VersionId = z.string().describe('Id of the version, 32 lower-case hexadecimal digits');
const ServerId = z.string().describe('Id of the tool server, 32 lower-case hexadecimal digits');
const ServerName = z.string().describe('Name of the tool server');
const ServerKind = z
  .enum(['mcp', 'http'])
  .describe('mcp: an MCP server; http: an HTTP service that an OpenAPI document describes');
const ToolName = z.string().describe('Name of the tool, by which definitions and calls name it');
const ToolText = z.string().describe('What the tool does, for models; at most 4,000 characters, may be empty');
const ToolParameters = z.unknown().describe('JSON Schema of the arguments');
const CreatedAt = z.iso.datetime().describe('Time of creation, ISO 8601 in UTC');

export const NamesById = described(
  'Names by id of the things beside it that the viewer may see; an id without a name is gone or not visible',
  {
    collections: z.record(z.string(), z.string()).describe('By collection_id'),
    servers: z.record(z.string(), z.string()).describe('By id of the tool server'),
    agents: z.record(z.string(), z.string()).describe('By agent_slug'),
  },
);
export type NamesById = z.infer<typeof NamesById>;

/** Source: decisions section 4. */
export const AgentVersion = described('A version of an agent; it never changes', {
  id: VersionId,
  number: z.int().describe('From 1, for each agent'),
  hash: z.string().describe('SHA-256 of the definition, in hex'),
  note: z.string().describe('What the person who submitted it wrote'),
  by: z.string().describe('Name of the person who submitted it'),
  created_at: CreatedAt,
  approved: z.boolean().describe('Whether an administrator approved it; only approved versions can be deployed'),
});
export type AgentVersion = z.infer<typeof AgentVersion>;
export const AgentVersions = described('Versions of an agent, the newest first', {
  items: z.array(AgentVersion).describe('All versions of the agent'),
});
export const AgentVersionDetails = AgentVersion.extend({
  definition: AgentDefinition,
  names: NamesById.optional().describe('Always present in replies'),
}).describe('A version with its definition');
export type AgentVersionDetails = z.infer<typeof AgentVersionDetails>;

/** Source: decisions section 4. */
export const AgentReview = described('A request to deploy a version', {
  id: z.string().describe('Id of the review, 32 lower-case hexadecimal digits'),
  agent_id: AgentId,
  agent_name: AgentName,
  version_id: VersionId,
  version_number: z.int().describe('Number of the version, from 1 for each agent'),
  hash: z.string().describe('SHA-256 of the definition, in hex; the decision is bound to it'),
  state: z
    .enum(['pending', 'approved', 'rejected', 'withdrawn'])
    .describe('State of the request; pending while it waits for a decision'),
  note: z.string().describe('What the person who submitted it wrote'),
  reason: z.string().nullable().describe('What the person who rejected it wrote'),
  submitted_by: z.string().describe('Name of the person who submitted it; empty when that person is gone'),
  submitted_at: z.iso.datetime().describe('Time of the submission, ISO 8601 in UTC'),
  decided_by: z
    .string()
    .nullable()
    .describe('Name of the person who decided or withdrew it; null while it waits, or when that person is gone'),
  decided_at: z.iso
    .datetime()
    .nullable()
    .describe('Time when it was approved, rejected or withdrawn, ISO 8601 in UTC; null while it waits'),
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
  state: z.enum(['pending', 'approved', 'rejected', 'withdrawn']).optional().describe('Only reviews in this state'),
});
export const AgentReviews = described('Reviews, the newest first', {
  items: z.array(AgentReview).describe('The newest reviews, at most 200'),
  pending: z.int().describe('Number of reviews that wait'),
});

export const AgentSummary = described('An agent in a list', {
  id: AgentId,
  slug: z.string().describe('agent_slug: its id for callers; it never changes'),
  name: AgentName,
  description: AgentText,
  state: AgentState,
  deployed_version: z
    .int()
    .nullable()
    .describe('Number of the deployed version; present also while another version is in review'),
  deployed_version_id: z
    .string()
    .nullable()
    .describe('Id of the deployed version, 32 lower-case hexadecimal digits; null where none is deployed'),
  has_changes: z.boolean().describe('Whether the draft differs from the newest version'),
  by: z.string().describe('Name of the person who created it; empty when that person is gone'),
  created_at: CreatedAt,
  updated_at: z.iso.datetime().describe('Time of the last change, ISO 8601 in UTC'),
});
export type AgentSummary = z.infer<typeof AgentSummary>;
/** What agents of a list are ordered by; with a minus before it downwards. */
export const agentOrders = ['name', '-name', 'updated', '-updated'] as const;
/** One of them. */
export type AgentOrder = (typeof agentOrders)[number];
export const AgentQuery = describedStrictly('Query of the list of agents', {
  sort: z.enum(agentOrders).default('-updated').describe('Order of the list; a minus before it: downwards'),
  text: z.string().trim().max(200).optional().describe('Found in name, slug or description'),
  state: AgentState.optional(),
  from: z.coerce.number().int().min(0).default(0).describe('Number of agents that are skipped'),
  size: z.coerce.number().int().min(1).max(100).default(50).describe('Number of agents, 1 to 100'),
});
export const AgentPage = described('A part of the list of agents', {
  items: z.array(AgentSummary).describe('Agents of this part of the list, in the order that was asked for'),
  total: z.int().describe('Number of agents of the whole list'),
});

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
export const agentTemplates = [
  'blank',
  'plain_assistant',
  'knowledge_answer',
  'document_processing',
  'multi_step',
] as const;
export const AgentTemplate = z.enum(agentTemplates).describe('An agent to begin with');
export type AgentTemplate = z.infer<typeof AgentTemplate>;

const Name = z.string().trim().min(1).max(100);
const Description = z.string().trim().max(1_000);
export const NewAgent = describedStrictly(
  'Body of POST /agents: an agent from a template, or from a definition (import)',
  {
    name: Name.describe('Name of the agent, 1 to 100 characters'),
    description: Description.default('').describe('What the agent is for, at most 1,000 characters'),
    template: AgentTemplate.optional(),
    definition: z.unknown().optional().describe('An imported definition'),
    leave_out: z
      .boolean()
      .default(false)
      .describe('Whether unknown fields of the definition are left out; otherwise they are refused'),
    language: Language.optional().describe('Language of the texts of the template; English when left out'),
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
    name: AgentName,
    description: AgentText,
    definition: z.unknown().describe('The definition: its nodes, edges and limits'),
  },
);
export type AgentFile = z.infer<typeof AgentFile>;
export const AgentExportQuery = describedStrictly('Query of GET /agents/{id}/export', {
  version: z.string().max(100).optional().describe('Id of a version; the draft when left out'),
});

export const AgentChange = z
  .object({
    name: Name.describe('Name of the agent, 1 to 100 characters'),
    description: Description.describe('What the agent is for, at most 1,000 characters'),
    draft: z.unknown().describe('A definition of the right form with known fields only; it may have problems'),
    revision: z.int().describe('Revision that the change is based on; another one is refused'),
  })
  .partial()
  .strict()
  .describe('Body of PATCH /agents/{id}');
export type AgentChange = z.infer<typeof AgentChange>;

export const CheckDefinition = describedStrictly('Body of POST /agents/{id}/check: a definition that is not saved', {
  definition: z.unknown().describe('The definition; it may be of a wrong form'),
});
export const DefinitionCheckResult = described('Problems of the definition', {
  problems: z.array(DefinitionProblem).describe('What is wrong; empty where nothing is'),
});

export const SubmitAgent = describedStrictly(
  'Body of POST /agents/{id}/submit: makes a version of the draft unless it is the newest one already, and asks for its deployment',
  {
    note: z.string().trim().max(1_000).default('').describe('Note for the review, at most 1,000 characters'),
    revision: z.int().describe('Revision of the draft that the person saw'),
  },
);
export const ApproveAgent = describedStrictly('Body of POST /agents/{id}/approve', {
  review_id: z.string().describe('Id of the review that waits, 32 lower-case hexadecimal digits'),
  hash: z.string().describe('Hash of the definition that the person saw'),
});
export const RejectAgent = describedStrictly('Body of POST /agents/{id}/reject', {
  review_id: z.string().describe('Id of the review that waits, 32 lower-case hexadecimal digits'),
  hash: z.string().describe('Hash of the definition that the person saw'),
  reason: z.string().trim().min(1).max(2_000).describe('Why it is rejected, 1 to 2,000 characters'),
});
export const DeployAgent = describedStrictly('Body of POST /agents/{id}/deploy', {
  version_id: z.string().describe('An approved version, also an earlier one (rollback)'),
});
export const RestoreDraft = describedStrictly(
  'Body of POST /agents/{id}/restore: the draft becomes that of a version',
  {
    version_id: VersionId,
    revision: z.int().describe('Revision of the draft that the person saw'),
  },
);

export const DifferenceQuery = describedStrictly('Query of GET /agents/{id}/difference: ids of versions, or draft', {
  from: z.string().max(100).describe('The older definition: id of a version, or draft'),
  to: z.string().max(100).describe('The newer definition: id of a version, or draft'),
});
export const DefinitionDifference = described('What differs between two definitions', {
  changes: z
    .array(
      z.object({
        what: z.enum(['node', 'edge', 'limits']).describe('Part of the definition that differs'),
        change: z
          .enum(['added', 'removed', 'changed'])
          .describe('added or removed: a node or edge as a whole; changed: a field of it'),
        name: z.string().describe('Id of the node, or from → to of an edge'),
        kind: z.string().nullable().describe('Kind of the node, such as retrieve; null for edges and limits'),
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
  items: z
    .array(
      z.object({
        action: z
          .enum([
            'created',
            'submitted',
            'withdrawn',
            'rejected',
            'approved',
            'deployed',
            'undeployed',
            'archived',
            'unarchived',
          ])
          .describe('What was done'),
        version_number: z.int().nullable().describe('Number of the version; null where the step concerns none'),
        by: z.string().describe('Name of the person'),
        reason: z.string().nullable().describe('What the person who rejected it wrote; null for other steps'),
        at: z.iso.datetime().describe('Time of the step, ISO 8601 in UTC'),
      }),
    )
    .describe('The newest steps, at most 1,000'),
});
export type AgentHistory = z.infer<typeof AgentHistory>;

export const AgentOptions = described(
  'Models, collections, agents and tool servers that the person may use in the builder',
  {
    models: z
      .array(
        z.object({
          id: z.string().describe('Id of the model'),
          name: z.string().describe('Name for people, the same as the id'),
          tools: z.boolean().describe('Whether the model can call tools'),
        }),
      )
      .describe('Chat models'),
    rerank_models: z.array(z.string()).describe('Ids of rerank models'),
    collections: z
      .array(
        z.object({
          id: z.string().describe('Id of the collection, 32 lower-case hexadecimal digits'),
          name: z.string().describe('Name of the collection'),
        }),
      )
      .describe('Collections that the person may search, by name'),
    agents: z.array(z.object({ id: AgentId, slug: AgentSlug, name: AgentName })).describe('Deployed agents, by name'),
    servers: z
      .array(
        z.object({
          id: ServerId,
          name: ServerName,
          kind: ServerKind,
          tools: z
            .array(z.object({ name: ToolName, description: ToolText, parameters: ToolParameters }))
            .describe('Tools of the server'),
        }),
      )
      .describe('Tool servers of the tenant, in the order in which they were added'),
  },
);
export type AgentOptions = z.infer<typeof AgentOptions>;

export const AgentUsageQuery = describedStrictly('Query of GET /agents/{id}/usage', {
  days: z.coerce.number().int().min(1).max(365).default(30).describe('Number of days, 1 to 365, up to today in UTC'),
});
export const AgentUsage = described('Use of an agent by day', {
  days: z
    .array(
      z.object({
        day: z.iso.date().describe('Day in UTC, as in 2026-01-31'),
        runs: z.int().describe('Number of runs that were begun on this day, trials too'),
        failed: z.int().describe('Number of these runs that failed'),
        tokens: z.int().describe('Prompt and completion tokens of these runs'),
        p50_ms: z.number().nullable().describe('Median duration of its runs in milliseconds'),
      }),
    )
    .describe('Days, the oldest first; days without runs too'),
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
  id: ServerId,
  name: ServerName,
  kind: ServerKind,
  url: z.string().describe('Address of the MCP server, or base address of the HTTP service'),
  headers: z.array(z.string()).describe('Names of the headers that every call carries'),
  state: z.enum(['ready', 'failed']).describe('Result of the last check'),
  failure: z
    .object({
      problem: z.enum(toolServerProblems).describe('Stable code, for which the console has texts'),
      message: z.string().describe('In English'),
      values: z.record(z.string(), z.union([z.string(), z.number()])).describe('Values for the text of the problem'),
    })
    .nullable()
    .describe('Why the last check failed'),
  tools: z
    .array(z.object({ name: ToolName, description: ToolText, parameters: ToolParameters }))
    .describe('Tools that the MCP server listed last, or that the description of the HTTP service gives'),
  description_url: z
    .string()
    .nullable()
    .describe('Where the description of an HTTP service is fetched; null where it was uploaded'),
  left_out: z.array(z.string()).describe('Operations of the description that cannot be called, such as POST /upload'),
  used_by: z
    .array(z.object({ id: AgentId, name: AgentName }))
    .describe('Agents whose draft or deployed version uses it'),
  updated_at: z.iso.datetime().describe('Time of the last change or check, ISO 8601 in UTC'),
});
export type ToolServer = z.infer<typeof ToolServer>;
export const ToolServers = described('Tool servers of the tenant', {
  items: z.array(ToolServer).describe('Tool servers in the order in which they were added'),
});
const ServiceText = z.string().max(2_000_000).describe('OpenAPI 3 document as JSON or YAML, for http');
const ServiceUrl = z.string().trim().min(1).max(2_000).describe('Address of an OpenAPI 3 document, for http');
export const NewToolServer = describedStrictly('A new tool server', {
  name: Name.describe('Name of the tool server, 1 to 100 characters; unique within the tenant'),
  kind: ServerKind,
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
    name: Name.describe('Name of the tool server, 1 to 100 characters; unique within the tenant'),
    url: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .describe('Address of the MCP server, or base address of the HTTP service; 1 to 2,000 characters'),
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
  change: z.enum(changes).describe('What becomes of the operation'),
  name: z.string().describe('Name of the tool, as agents use it'),
  operation: z.string().describe('Such as GET /items/{id}'),
  was: z.string().nullable().describe('The operation before, where it is another one'),
  description: z.boolean().describe('Whether the description for models differs'),
  request: z.boolean().describe('Whether the request differs'),
  arguments: z
    .array(
      z.object({
        name: z.string().describe('Name of the argument'),
        change: z.enum(changes).describe('What becomes of the argument'),
      }),
    )
    .describe('Arguments that differ; empty where the operation is added or removed'),
});
export type DescriptionChange = z.infer<typeof DescriptionChange>;
export const DescriptionPreview = described(
  'Reply of POST /agent-servers/{id}/description: what fetching the description again would change',
  {
    changes: z.array(DescriptionChange).describe('Operations that are removed, changed or added, in this order'),
    left_out: z
      .array(z.string())
      .describe('Operations of the new description that cannot be called, such as POST /upload'),
    hash: z.string().describe('Hash of the new description'),
  },
);
export type DescriptionPreview = z.infer<typeof DescriptionPreview>;
export const ApplyDescription = describedStrictly(
  'Body of POST /agent-servers/{id}/description/take: accepts the description with this hash',
  { hash: z.string().max(100).describe('Hash of the new description that the person saw') },
);

export const TryTool = describedStrictly('Body of POST /agent-servers/{id}/try: calls one tool', {
  tool: z.string().min(1).max(128).describe('Name of the tool, 1 to 128 characters'),
  arguments: z.record(z.string(), z.unknown()).describe('Arguments of the call, by name'),
});
export const ToolTrialResult = described('Result of a tool', {
  text: z.string().describe('Text that a model would read'),
  failed: z.boolean().describe('Whether the call failed; text then says why'),
  ms: z.number().describe('Duration in milliseconds'),
});
export type ToolTrialResult = z.infer<typeof ToolTrialResult>;
