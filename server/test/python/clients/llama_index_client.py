"""llama-index: chats, whole and streamed, embeddings."""

from llama_index.core.llms import ChatMessage
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
from llama_index.llms.openai_like import OpenAILike

from checks import KEY, V1, check, main


@check
def chat():
    """a chat, whole and streamed"""
    llm = OpenAILike(model="CORE-GOV", api_base=V1, api_key=KEY, is_chat_model=True)
    hi = [ChatMessage(role="user", content="Hi")]
    assert llm.chat(hi).message.content == "The answer is 42."
    assert "".join(piece.delta or "" for piece in llm.stream_chat(hi)) == "The answer is 42."


@check
def embeddings():
    """embeddings"""
    embedder = OpenAILikeEmbedding(model_name="embedder", api_base=V1, api_key=KEY)
    assert [len(vector) for vector in embedder.get_text_embedding_batch(["one", "two"])] == [4, 4]


main()
