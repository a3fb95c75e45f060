"""Does a question in one language find the note in another? Two models on the same sentences.

    PYTHONPATH=core python3 tests/bench/embedding_languages.py

Twenty things that people note down, each in four languages. A sentence is found when, among the
twenty of the other language, its translation is the nearest. Guessing gives 0.05.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# English, Spanish, Russian, Filipino.
SAID = (
    (
        "The oven broke again this morning.",
        "El horno se averió otra vez esta mañana.",
        "Сегодня утром печь опять сломалась.",
        "Nasira na naman ang pugon kaninang umaga.",
    ),
    (
        "Grandmother is in hospital with pneumonia.",
        "La abuela está en el hospital con neumonía.",
        "Бабушка лежит в больнице с воспалением лёгких.",
        "Nasa ospital si lola dahil sa pulmonya.",
    ),
    (
        "We paid the rent for December.",
        "Pagamos el alquiler de diciembre.",
        "Мы заплатили за квартиру за декабрь.",
        "Nabayaran na namin ang upa para sa Disyembre.",
    ),
    (
        "The train to the capital leaves at half past seven.",
        "El tren a la capital sale a las siete y media.",
        "Поезд в столицу отправляется в половине восьмого.",
        "Aalis ang tren papuntang kabisera ng alas-siyete y medya.",
    ),
    (
        "My daughter learned to ride a bicycle.",
        "Mi hija aprendió a montar en bicicleta.",
        "Моя дочь научилась кататься на велосипеде.",
        "Natutong magbisikleta ang anak kong babae.",
    ),
    (
        "He is allergic to nuts.",
        "Es alérgico a los frutos secos.",
        "У него аллергия на орехи.",
        "Allergic siya sa mani.",
    ),
    (
        "The password of the office network was changed.",
        "Cambiaron la contraseña de la red de la oficina.",
        "Пароль от офисной сети поменяли.",
        "Pinalitan ang password ng network sa opisina.",
    ),
    (
        "I slept badly because of the neighbours' music.",
        "Dormí mal por la música de los vecinos.",
        "Я плохо спал из-за музыки у соседей.",
        "Hindi ako nakatulog nang maayos dahil sa tugtog ng kapitbahay.",
    ),
    (
        "The supplier raised the price of flour.",
        "El proveedor subió el precio de la harina.",
        "Поставщик поднял цену на муку.",
        "Itinaas ng supplier ang presyo ng harina.",
    ),
    (
        "They are getting married in spring.",
        "Se casan en primavera.",
        "Они женятся весной.",
        "Ikakasal sila sa tagsibol.",
    ),
    (
        "It rained so hard that the cellar flooded.",
        "Llovió tanto que se inundó el sótano.",
        "Дождь был такой сильный, что затопило подвал.",
        "Sa lakas ng ulan, binaha ang silong.",
    ),
    (
        "She prefers tea without sugar.",
        "Ella prefiere el té sin azúcar.",
        "Она предпочитает чай без сахара.",
        "Mas gusto niya ang tsaa na walang asukal.",
    ),
    (
        "The bank refused our loan.",
        "El banco nos negó el préstamo.",
        "Банк отказал нам в кредите.",
        "Tinanggihan ng bangko ang aming utang.",
    ),
    (
        "The dog ran away and came back at night.",
        "El perro se escapó y volvió por la noche.",
        "Собака убежала и вернулась ночью.",
        "Tumakas ang aso at bumalik noong gabi.",
    ),
    (
        "I have to renew my passport before the journey.",
        "Tengo que renovar el pasaporte antes del viaje.",
        "Мне нужно обновить паспорт до поездки.",
        "Kailangan kong i-renew ang pasaporte bago ang biyahe.",
    ),
    (
        "The new employee starts on Monday.",
        "El nuevo empleado empieza el lunes.",
        "Новый сотрудник выходит в понедельник.",
        "Magsisimula sa Lunes ang bagong empleyado.",
    ),
    (
        "We painted the kitchen yellow.",
        "Pintamos la cocina de amarillo.",
        "Мы покрасили кухню в жёлтый цвет.",
        "Pininturahan namin ng dilaw ang kusina.",
    ),
    (
        "The doctor told me to walk every day.",
        "El médico me dijo que caminara todos los días.",
        "Врач велел мне гулять каждый день.",
        "Sabi ng doktor, maglakad ako araw-araw.",
    ),
    (
        "Our team lost the final by one goal.",
        "Nuestro equipo perdió la final por un gol.",
        "Наша команда проиграла финал с разницей в один гол.",
        "Natalo ang koponan namin sa finals ng isang gol.",
    ),
    (
        "I planted tomatoes behind the house.",
        "Planté tomates detrás de la casa.",
        "Я посадил помидоры за домом.",
        "Nagtanim ako ng kamatis sa likod ng bahay.",
    ),
)
LANGUAGES = ("en", "es", "ru", "tl")


def run(name: str) -> dict[str, float]:
    """One model, in this process."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    import numpy as np

    from daybank.embedding.embedder import built_in
    from daybank.embedding.universal import UniversalEmbedder

    with tempfile.TemporaryDirectory() as cache:
        started = time.perf_counter()
        model = (
            UniversalEmbedder.find(1)
            if name == "universal"
            else built_in(cache=Path(cache), threads=1)
        )
        model.embed_query("load")
        loading = time.perf_counter() - started
        vectors = [model.embed([said[i] for said in SAID]) for i in range(len(LANGUAGES))]
        result = {}
        for i, asked in enumerate(LANGUAGES):
            for j, noted in enumerate(LANGUAGES):
                if i != j:
                    nearest = np.argmax(vectors[i] @ vectors[j].T, axis=1)
                    found = float((nearest == np.arange(len(SAID))).mean())
                    result[f"{asked}>{noted}"] = found
        result["mean"] = sum(result.values()) / len(result)
        texts = [said[i] for said in SAID for i in range(len(LANGUAGES))] * 3
        started = time.perf_counter()
        model.embed(texts)
        result["texts/s"] = len(texts) / (time.perf_counter() - started)
        waits = []
        for said in SAID:
            started = time.perf_counter()
            model.embed_query(said[0])
            waits.append(time.perf_counter() - started)
        result["query ms"] = 1000 * sorted(waits)[len(waits) // 2]
        result["load s"] = loading
        result["peak MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        model.close()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(run(given.one)))
        return
    names = ("built-in", "universal")
    results = [
        json.loads(subprocess.check_output([sys.executable, __file__, "--one", name]))
        for name in names
    ]
    print(f"{'':<10}" + "".join(f"{name:>12}" for name in names))
    for row in results[0]:
        print(f"{row:<10}" + "".join(f"{result[row]:>12.2f}" for result in results))


if __name__ == "__main__":
    main()
