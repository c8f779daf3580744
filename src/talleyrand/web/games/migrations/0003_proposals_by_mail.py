from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0002_bot_claims_end")]

    # what comes by mail counts from when the mail was received
    operations = [
        migrations.AlterField("endproposal", "created_at", models.DateTimeField()),
        migrations.AlterField("endproposalballot", "answered_at", models.DateTimeField()),
    ]
