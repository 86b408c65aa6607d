// Words that say nothing of what a text is about.

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));

/** English, in lower case, before stemming. */
export const englishStopWords = set(`
  a about above across after again against all almost along already also although always am among an and another any are around as
  at be became because become been before being below between both but by can cannot could did do does doing done down during each
  either else enough etc ever every few for from further get give given gives go had has have having he her here hers herself him
  himself his how however i if in into is it its itself just least less let made make makes many may me might mine more most much
  must my myself neither no nor not now of off often on once one only onto or other others our ours ourselves out over own per
  perhaps please put quite rather said same say see seem seems shall she should since so some such take tell than that the their
  theirs them themselves then there therefore these they this those though through thus to together too toward towards under until
  up upon us use used using very via was we well were what whatever when where whether which while who whom whose why will with
  within without would yet you your yours yourself yourselves
  s t d ll re ve m don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain
`);

/**
 * Korean, as they are left once particles and endings are gone, or whole: what joins words and what asks. Adverbs and units stay, as in
 * passages that are short they tell one from another.
 */
export const koreanStopWords = set(`
  것 거 수 등 및 또 또는 그리고 그러나 그런데 그래서 하지만 따라서 혹은 혹시 이 그 저 이것 그것 저것 이런 그런 저런 이렇 그렇
  대하 대한 대해 대해서 관하 관한 관해 따르 따라 따른 위하 위한 위해 위해서 통하 통한 통해 통해서 의하 의한 의해
  있 있다 있는 있나 있나요 있습니다 있을까 있으면 하 하다 하는 하면 하고 해 해야 합니다 하나요 되 되다 되는 되면 되고 됩니다 되나요 돼야 되어야 하여야
  무엇 무슨 뭐 뭔 뭘 어떤 어떻 어떻게 어떠 언제 어디 어디서 어느 누구 누가 얼마 얼마나 몇 왜 어찌
  알려주 알려줘 알려주세요 알고 싶 싶은 싶어요 싶습니다 궁금 궁금하 궁금해요 궁금합니다 말해줘 설명해줘 주세요 줘 바랍니다 인가 인가요 인지 나요
`);
