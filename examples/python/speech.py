# A text that is spoken with the openai package, and written down again where a speech-to-text model is there: pip install openai
#   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… python examples/python/speech.py
import os

from openai import OpenAI

client = OpenAI(base_url=os.environ["STUDIO_URL"] + "/v1", api_key=os.environ["STUDIO_API_KEY"])

models = {model.type: model.id for model in client.models.list()}
speech = client.audio.speech.create(
    model=models["speech"], voice="alloy", input="안녕하세요. Hello.", response_format="wav"
).read()
print(f"speech.wav has {len(speech)} bytes")

if "transcription" not in models:
    print("No speech-to-text model is there: connect or install one.")
else:
    heard = client.audio.transcriptions.create(model=models["transcription"], file=("speech.wav", speech))
    print("heard:", heard.text)
