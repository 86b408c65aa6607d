export { admitMessage, countMessageTokens, type MessageCall, type MessagesDeps } from './answer.ts';
