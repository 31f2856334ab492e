# Topicset for others: not root, nothing to write but /tmp, a health check that runs the app once.
#   docker build -t topicset .
#   docker run --rm -p 8501:8501 --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges topicset
FROM python:3.12-slim

ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \
    NUMBA_CACHE_DIR=/opt/topicset/kernels TOPICSET_WARM_UP=0 HOME=/tmp
WORKDIR /opt/topicset

COPY requirements.txt .
RUN pip install -r requirements.txt

COPY app.py LICENSE ./
COPY .streamlit .streamlit
COPY assets assets
COPY pages pages
COPY server server
COPY docs/statements.md docs/statements.md
COPY topicset_core topicset_core
# Compiled here, once: nothing can be written later, and no user waits for it.
RUN python -m compileall -q pages server topicset_core && python -m topicset_core.analyses.warm_up

USER 65534:65534
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
    CMD ["python", "-c", "import sys, urllib.request as r; sys.exit(r.urlopen('http://localhost:8501/_stcore/health', timeout=5).read().strip() != b'ok')"]
# Numba reads compiled kernels only from where it could also write.
ENTRYPOINT ["sh", "-c", "cp -r kernels \"$HOME\" && NUMBA_CACHE_DIR=\"$HOME/kernels\" exec python -m topicset_core app \"$@\"", "topicset"]
CMD ["--share"]
