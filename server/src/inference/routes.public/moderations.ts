import { ModerationRequest } from '@ai-studio/contract/moderations.ts';
import { StudioError } from '../../kernel/errors.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';

/** POST /moderations: no guard model can be bound, and clients are told what there is in its place. Source: decisions section 3. */
export const moderationRoutes = (): readonly PublicRoute[] => [
  publicRoute({
    method: 'POST',
    path: '/moderations',
    access: 'chat',
    tag: 'Chat',
    summary: 'Moderation',
    description:
      'A 404: no guard model is bound. Personal values are found, masked or refused by the policy of the tenant and by POST /v1/text/pii-mask; a chat model judges a text by a question with `response_format`.',
    body: { ModerationRequest },
    example: { input: '안녕하세요' },
    errors: ['not_found'],
    handle() {
      throw new StudioError(
        'not_found',
        'There is no guard model that could judge texts. Leave moderation out in your client; personal values are found by POST /v1/text/pii-mask and by the policy of the tenant, and a chat model can judge a text by POST /v1/chat/completions with response_format',
        { param: 'model' },
      );
    },
  }),
];
