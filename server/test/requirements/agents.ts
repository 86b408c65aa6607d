import type { Requirements } from './entry.ts';

/** What is asked of agents: of building, reviewing and deploying them. */
export const agentRequirements = {
  'agents.run.crash': {
    source: 'release goals: agents, faults',
    text: 'A kill of the service in any node: after a start the run ends once, and no finished node is run again.',
  },
  'agents.run.idempotency': {
    source: 'release goals: agents, faults',
    text: 'A tool that was being called when the service was killed is called again with the same idempotency key.',
  },
  'agents.run.resubscribe': {
    source: 'release goals: agents, faults',
    text: 'A follower that goes on after a kill gets each event once, in order, and the whole answer.',
  },
  'agents.run.stream': {
    source: 'release goals: agents',
    text: 'The answer goes out as models make it, also where an agent that is called makes it.',
  },
  'agents.run.failure': {
    source: 'release goals: agents',
    text: 'A run that fails because of what its caller sent says in words what to do; its trace shows what went in.',
  },
  'agents.run.many': {
    source: 'release goals: agents, faults',
    text: '200 runs that stream at once: none is lost, and each has its order.',
  },
  'agents.run.budgets': { source: 'release goals: agents', text: 'Runs end at their budget of seconds and of tokens.' },
  'agents.run.cancel': { source: 'release goals: agents', text: 'A run is canceled mid-token, on any process.' },
  'agents.run.cancel-waiting': {
    source: 'release goals: agents',
    text: 'A run that waits is canceled though no place is free.',
  },
  'agents.run.key-deleted': { source: 'release goals: agents', text: 'The runs of a deleted key end as canceled.' },
  'agents.run.one-runner': { source: 'release goals: agents', text: 'A run has at most one runner.' },
  'agents.run.order': {
    source: 'release goals: agents',
    text: 'Nodes run in data-flow order: parallel branches at the same time, dead ways skipped, loops bounded.',
  },
  'agents.run.traces': {
    source: 'release goals: agents',
    text: 'Inputs, outputs, times and tokens of nodes are kept as the tenant has it.',
  },
  'agents.run.eyes': {
    source: 'release goals: agents, abuse',
    text: 'Searches of a run reach the collections that its definition names, of its tenant, and no others.',
  },
  'agents.create.draft': {
    source: 'interface 3',
    text: 'A developer or administrator makes an agent in the console; it begins as a draft.',
  },
  'agents.create.slug': {
    source: 'interface 3; decisions 1, Ids; decisions 4, Lifecycle',
    text: 'Each agent has an agent_slug of its own from its creation, 22 base64url characters, which never changes.',
  },
  'agents.create.templates': {
    source: 'release goals: agents',
    text: 'An agent begins from one of four templates, which have no error where a model and a collection are there.',
  },
  'agents.templates.work': {
    source: 'release goals: agents',
    text: 'The four templates work end to end on the engine that is always there, and on a model that the service runs itself.',
  },
  'agents.templates.knowledge': {
    source: 'release goals: agents',
    text: 'A question whose answer stands in one of thirty uploaded documents is answered with the right citation.',
  },
  'agents.definition.check': {
    source: 'release goals: agents',
    text: 'A definition is checked: form, edges, ways, loops, types of results, and that all it names is there and may be used.',
  },
  'agents.definition.bombs': {
    source: 'release goals: agents, abuse',
    text: 'Definitions that are too large or too deep, or that would run too long, are refused.',
  },
  'agents.definition.file': {
    source: 'release goals: agents',
    text: 'An agent is exported to a file and imported from one; what the file names and is not there is chosen anew.',
  },
  'agents.draft.conflict': {
    source: 'release goals: agents',
    text: 'A draft that somebody else has saved in the meantime is not overwritten; who saved it is told.',
  },
  'agents.version.immutable': {
    source: 'decisions 4, Lifecycle',
    text: 'A version is immutable and has a content hash; what differs between two is told field by field.',
  },
  'agents.submit': {
    source: 'interface 3',
    text: 'A deployment request for a draft makes it pending review; one with errors is refused.',
  },
  'agents.approve': {
    source: 'interface 3',
    text: 'An administrator approves what is pending; it is deployed then.',
  },
  'agents.approve.bound': {
    source: 'decisions 4, Lifecycle',
    text: 'A review is bound to the hash; approval of anything else is refused.',
  },
  'agents.approve.other-person': {
    source: 'decisions 4, Lifecycle',
    text: 'Who submitted a version may not approve it unless the tenant has a single administrator.',
  },
  'agents.approve.once': {
    source: 'release goals: agents',
    text: 'Of two who decide at the same time one does; the other is told.',
  },
  'agents.reject': {
    source: 'decisions 4, Lifecycle',
    text: 'A reviewer rejects with a reason, and the agent is a draft again.',
  },
  'agents.withdraw': {
    source: 'decisions 4, Lifecycle',
    text: 'What was submitted is withdrawn, and is a draft again.',
  },
  'agents.undeploy': { source: 'decisions 4, Lifecycle', text: 'A deployed agent is undeployed; callers get none.' },
  'agents.rollback': {
    source: 'decisions 4, Lifecycle',
    text: 'A version that was approved before is deployed in one step; other versions are not.',
  },
  'agents.deploy.running': {
    source: 'decisions 4, Lifecycle',
    text: 'A run under way keeps the version that it began with, whatever is deployed meanwhile.',
  },
  'agents.review.keeps-deployed': {
    source: 'decisions 4, Lifecycle',
    text: 'While a newer version is reviewed, callers get the one that is deployed.',
  },
  'agents.tools.description-url': {
    source: 'release goals: agents',
    text: 'HTTP tools come from an OpenAPI description, pasted or fetched behind the guard, in JSON and YAML.',
  },
  'agents.tools.description-again': {
    source: 'release goals: agents',
    text: 'A description is fetched again; what would change is shown before anything is replaced.',
  },
  'agents.names': {
    source: 'release goals: agents, differences and traces',
    text: 'Differences, versions and traces tell the names of the collections, tool servers and agents in them, as far as the viewer may see them.',
  },
  'agents.definition.unknown-fields': {
    source: 'release goals: agents, files',
    text: 'A definition with fields that nobody knows is not taken in without telling: they are named.',
  },
  'agents.review.compared': {
    source: 'decisions 4, Lifecycle',
    text: 'A review shows what differs from what callers get, and once it is decided from what they got then.',
  },
  'agents.archive': {
    source: 'decisions 4, Lifecycle',
    text: 'An agent is archived, brought back, and deleted once it is archived.',
  },
  'agents.audit': { source: 'decisions 4, Lifecycle', text: 'Every step of the lifecycle is in the audit log.' },
  'agents.roles': {
    source: 'interface 5; decisions 4',
    text: 'Users build no agents; developers build, submit and try; administrators decide what is deployed.',
  },
  'agents.tools.built-in': {
    source: 'release goals: agents',
    text: 'Agents search named collections, read documents of the message, calculate exactly and know the time without a tool server.',
  },
  'agents.tools.arguments': {
    source: 'release goals: agents',
    text: 'Arguments are checked by the schema of a tool; what is wrong, and a tool that fails, is told to the model in words.',
  },
  'agents.tools.mcp': {
    source: 'release goals: agents; architecture 9',
    text: 'Tools of MCP servers are listed and called over streamable HTTP, in the versions with sessions and the one without.',
  },
  'agents.tools.openapi': {
    source: 'release goals: agents; architecture 9',
    text: 'Each operation of an OpenAPI 3 description is a tool; its arguments stand where the description wants them.',
  },
  'agents.tools.guard': {
    source: 'release goals: agents, abuse; architecture 11',
    text: 'No address that a person names leads to a private one: not by redirects, by names that change, or by other forms of addresses.',
  },
  'agents.tools.large': {
    source: 'release goals: agents, abuse',
    text: 'A result of 50 MB is cut with a note; descriptions that grow without end are refused.',
  },
  'agents.tools.secrets': {
    source: 'architecture 11',
    text: 'Headers of tool servers are encrypted at rest, never shown again, and sent to no other server.',
  },
  'agents.tools.console': {
    source: 'release goals: agents',
    text: 'Tool servers are added, looked at, tried, changed and deleted in the console, with mouse and keyboard.',
  },
  'agents.tenants': {
    source: 'release goals: agents, abuse',
    text: 'Agents, versions, reviews and collections of another tenant are unknown in every parameter and body.',
  },
  'agents.console.review': {
    source: 'release goals: agents; decisions 4, Lifecycle',
    text: 'In the console a reviewer sees the difference, tries the submitted version, approves just that or rejects it with a reason.',
  },
  'agents.console.chat': {
    source: 'release goals: agents; interface 5',
    text: 'Every role talks with deployed agents in the console; citations open the page that they stand on.',
  },
  'agents.console.code': {
    source: 'release goals: agents',
    text: 'The page of an agent shows its address and programs that call it; its sessions and traces are read there.',
  },
  'agents.console.versions': {
    source: 'release goals: agents',
    text: 'Versions are compared, exported and restored in the console; an earlier one is deployed again in one step.',
  },
  'agents.console.isolation': {
    source: 'release goals: agents, abuse',
    text: 'What a person says to an agent, and their trials, are unknown to everybody else, whatever their role.',
  },
} as const satisfies Requirements;
