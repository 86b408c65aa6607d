export { jsonReplyGrammar, type ReplyGrammar, toolGrammar } from './tool-grammar.ts';
