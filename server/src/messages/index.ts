export { admitMessage, countMessageTokens, type MessageCall, type MessagesDeps } from './answer.ts';
export { readCountRequest, readRequest } from './read-request.ts';
