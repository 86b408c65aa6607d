import type { Requirements } from './entry.ts';

const cases = 'decisions 4, the table of cases';
const message = 'decisions 4, message/send';
const stream = 'decisions 4, message/stream';
const doors = 'decisions 4, two doors to one agent';
const goals = 'release goals: agents';

/** Agents over A2A. */
export const a2aRequirements = {
  'a2a.path': {
    source: 'interface 4.2; decisions 1, Prefixes',
    text: 'POST …/external/agents/{slug}/a2a is served under both prefixes, with a trailing slash too.',
  },
  'a2a.key': { source: cases, text: 'Without a key, or with a wrong one: 401, -32095, with data.detail.' },
  'a2a.slug': { source: cases, text: 'A slug that is unknown, missing, or of another tenant: 404, -32094.' },
  'a2a.scope': { source: 'decisions 4', text: 'A key without the agent scope, or of a User: 403.' },
  'a2a.not-deployed': {
    source: cases,
    text: 'A draft, to anybody: 403, -32093, message Agent workflow is not deployed.',
  },
  'a2a.order': {
    source: cases,
    text: 'The key is asked for first, then the agent, then what the key may do, then the body.',
  },
  'a2a.parse': { source: cases, text: 'A body that is no JSON: 400, -32700.' },
  'a2a.request': {
    source: cases,
    text: 'A body that is no JSON-RPC request: 400, -32600; a list of requests is none.',
  },
  'a2a.method': { source: cases, text: 'An unknown method: 400, -32601.' },
  'a2a.params': { source: cases, text: 'Wrong parameters: 400, -32602, with a detail that names the field.' },
  'a2a.v10.errors': { source: cases, text: 'The same in 1.0 form: 200, with data as a list of ErrorInfo.' },
  'a2a.codes': { source: cases, text: 'What A2A itself tells of comes with 200 and -32001 to -32009.' },
  'a2a.id': { source: 'decisions 4', text: 'The id is echoed with its type; a request without one is refused.' },
  'a2a.ignored': {
    source: 'decisions 1, Unknown fields',
    text: 'Fields that are left out are ignored, and X-Ignored-Fields of the reply or stream names them.',
  },
  'a2a.version': {
    source: 'decisions 4',
    text: 'The form is 0.3 unless A2A-Version (header or query) is 1.0 or the method is one of 1.0; other versions: -32009.',
  },
  'a2a.http': {
    source: 'decisions 1, Body limits',
    text: 'Other methods 405, other types 415, large bodies 413, each as JSON-RPC.',
  },
  'a2a.limits': {
    source: 'decisions 1, Rate limit',
    text: 'Every authenticated answer tells the rate limit; past it: 429 in the form of A2A.',
  },
  'a2a.send': {
    source: message,
    text: 'message/send answers a task with artifacts, history and chat_session_id, whose status repeats the answer.',
  },
  'a2a.send.at-once': { source: message, text: 'blocking: false answers at once.' },
  'a2a.stream': {
    source: 'interface 2.5',
    text: 'Events have the form of the interface, byte for byte; texts joined are the answer once.',
  },
  'a2a.stream.last': { source: stream, text: 'The last event is final, has one empty text and tells chat_session_id.' },
  'a2a.stream.ids': {
    source: stream,
    text: 'Event ids are sequence numbers; resubscribing with Last-Event-ID goes on without loss or repetition, also after a restart.',
  },
  'a2a.stream.gone': { source: stream, text: 'A client that goes away loses nothing: the run goes on.' },
  'a2a.session': {
    source: 'decisions 4, chat_session_id',
    text: 'A new session has a number and a contextId; either goes on with it, and its earlier turns reach the model.',
  },
  'a2a.session.foreign': {
    source: 'decisions 4, chat_session_id',
    text: 'A session of another agent or tenant, or none: -32602.',
  },
  'a2a.message-id': {
    source: 'decisions 4, messageId',
    text: 'The same id with the same content joins or replays the task, and runs nothing twice; with other content: -32602.',
  },
  'a2a.tasks.get': { source: goals, text: 'tasks/get reads a task, with as much history as asked for.' },
  'a2a.tasks.list': {
    source: goals,
    text: 'ListTasks lists the tasks of the agent by pages, filtered, the newest change first.',
  },
  'a2a.tasks.cancel': {
    source: 'decisions 4',
    text: 'tasks/cancel stops a run mid-token; one that has ended: -32002.',
  },
  'a2a.tasks.foreign': {
    source: 'decisions 1, Tenant',
    text: 'Tasks of another agent, tenant, or of the console: -32001.',
  },
  'a2a.failure': {
    source: cases,
    text: 'A run that fails: 500 with -32603 before anything was sent, else an event with state failed.',
  },
  'a2a.input-required': {
    source: goals,
    text: 'An agent that asks ends the stream with input-required, and goes on with a message to the task.',
  },
  'a2a.files': {
    source: goals,
    text: 'Files by bytes or address, and data, reach the nodes; an agent that takes none refuses them.',
  },
  'a2a.files.unreadable': {
    source: goals,
    text: 'A file that no reader reads is -32005 and named, before anything runs.',
  },
  'a2a.files.models': {
    source: goals,
    text: 'Pictures go to models that take them; of other files models are given the text.',
  },
  'a2a.data': {
    source: goals,
    text: 'Data reach the nodes by name; agents that name none of them find them in the text.',
  },
  'a2a.parts': {
    source: goals,
    text: 'Answers bring data and files as parts, in order, whole, streamed and read again, in both forms and by all doors.',
  },
  'a2a.parts.modes': {
    source: goals,
    text: 'Callers get what they say that they take; cards tell what agents take and give.',
  },
  'a2a.files.private': { source: goals, text: 'A file at a private address is not fetched.' },
  'a2a.models': { source: goals, text: 'The models of the key bound what an agent may use for it.' },
  'a2a.usage': { source: goals, text: 'Calls count as usage of the key, and stand in the log.' },
  'a2a.card': {
    source: 'decisions 4',
    text: 'The card lies at both addresses, in both forms; a draft or foreign agent has none.',
  },
  'a2a.card.extended': { source: goals, text: 'The extended card needs a key, and tells more.' },
  'a2a.push.configs': {
    source: goals,
    text: 'Push notification configs are set, read, listed and deleted, in both forms; credentials are not told.',
  },
  'a2a.push.told': {
    source: goals,
    text: 'A task tells when it asks and when it ends, with the token and a signature that the key set proves.',
  },
  'a2a.push.parts': {
    source: goals,
    text: 'A notification has the data and files of the answer; files that are too large for one are named.',
  },
  'a2a.push.again': {
    source: goals,
    text: 'A notification that was not taken is sent again, also after a restart; after the end nothing comes.',
  },
  'a2a.push.private': { source: goals, text: 'Addresses that lead to private networks are not told.' },
  'a2a.clients.v10': {
    source: goals,
    text: 'The official client 1.3.0 works: card, send, stream, resubscribe, cancel, input-required, errors.',
  },
  'a2a.clients.v03': { source: goals, text: 'The official client 0.3.14, and the 0.3 side of 1.3.0, work.' },
  'a2a.plain.stream': {
    source: doors,
    text: 'At the doors of the card a stream is the task, pieces of one artifact, and at the end the whole task (1.0) or the final status (0.3).',
  },
  'a2a.plain.failure': {
    source: doors,
    text: 'There a failed run is a task in state failed, with why in its status; errors of JSON-RPC come with HTTP 200.',
  },
  'a2a.plain.question': { source: doors, text: 'There a question stands in the status that ends the turn.' },
  'a2a.plain.context': {
    source: doors,
    text: 'There a contextId of the own is taken, for one tenant, agent and caller; a messageId that said something else begins a new message.',
  },
  'a2a.plain.http': { source: doors, text: 'HTTP+JSON of 1.0 has all operations, statuses and errors of its own.' },
  'a2a.plain.same': { source: doors, text: 'A task begun at one door can be asked for at the other.' },
  'a2a.parallel': { source: goals, text: '200 streams at once: none is lost, and each has its order.' },
} as const satisfies Requirements;
