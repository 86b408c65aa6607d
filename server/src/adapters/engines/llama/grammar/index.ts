export { jsonReplyGrammar, type ReplyGrammar, toolGrammar, type ToolGrammarOptions } from './tool-grammar.ts';
