export { type Admission, createAdmission, requireAllowed } from './admission.ts';
export { type ChatCall, type ChatDeps, type ChatInference, type OpenChat, createOpenChat } from './chat.ts';
export { createRunChat } from './run-chat.ts';
export { createServiceQuestions } from './service-questions.ts';
